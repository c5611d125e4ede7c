import type { Rule } from '../rule.js'

/** Codes that other stages report: each has its code, name and case here. */
export const APPROVALS_CODES = [
  {
    code: 'SVC7001',
    slug: 'grant-type',
    severity: 'error',
    source: 'S',
    section: '2.12,4.7',
    description: 'A grant type is one_time or session_bound.',
    schema: 'table',
  },
  {
    code: 'SVC7002',
    slug: 'grant-types-empty',
    severity: 'error',
    source: 'A',
    section: '2.12',
    description: '`allowed_grant_types` lists at least one type.',
    why: 'Otherwise nothing can be approved.',
    schema: 'table',
  },
  {
    code: 'SVC7004',
    slug: 'grant-expiry',
    severity: 'error',
    source: 'A',
    section: '2.12',
    description: '`expires_in_seconds` is a positive whole number.',
    schema: 'table',
  },
  {
    code: 'SVC7005',
    slug: 'grant-max-uses',
    severity: 'error',
    source: 'A',
    section: '2.12',
    description: '`max_uses` is a positive whole number.',
    schema: 'table',
  },
] as const satisfies readonly Rule[]
