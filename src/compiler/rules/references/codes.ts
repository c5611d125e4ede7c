import type { Rule } from '../rule.js'

/** Codes that other stages report: each has its code, name and case here. */
export const REFERENCES_CODES = [
  {
    code: 'SVC3005',
    slug: 'requires-reason-blank',
    severity: 'error',
    source: 'S',
    section: '2.4',
    description: 'A prerequisite has a reason.',
    schema: 'table',
  },
  {
    code: 'SVC3101',
    slug: 'cross-list-unknown',
    severity: 'error',
    source: 'S',
    section: '2.9',
    description: '`cross_service` has handoff_to, refresh_via, verify_via and followup_via.',
    schema: 'table',
  },
  {
    code: 'SVC3102',
    slug: 'cross-ref-shape',
    severity: 'error',
    source: 'S',
    section: '2.9',
    description: 'A reference to another service names the service and the capability.',
    schema: 'table',
  },
  {
    code: 'SVC3106',
    slug: 'cross-ref-scalar',
    severity: 'error',
    source: 'D',
    section: '2.9',
    description: 'A reference to another service is a mapping.',
    schema: 'table',
  },
] as const satisfies readonly Rule[]
