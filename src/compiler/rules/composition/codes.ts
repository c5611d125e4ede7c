import type { Rule } from '../rule.js'

/** What another stage reports: each keeps its code, its name and its case here. */
export const COMPOSITION_CODES = [
  {
    code: 'SVC4001',
    slug: 'authority-boundary-missing',
    severity: 'error',
    source: 'S',
    section: '2.8',
    description: 'A composition has `authority_boundary: same_service`.',
  },
  {
    code: 'SVC4004',
    slug: 'steps-empty',
    severity: 'error',
    source: 'D',
    section: '2.8',
    description: 'A composition has at least one step.',
  },
  {
    code: 'SVC4006',
    slug: 'step-id-syntax',
    severity: 'error',
    source: 'A',
    section: '2.8',
    description: 'A step id is an identifier.',
    why: 'It appears in paths: $.steps.<id>.',
    role: { isOfDeclaration: true },
  },
  {
    code: 'SVC4113',
    slug: 'output-mapping-empty',
    severity: 'error',
    source: 'A',
    section: '2.8',
    description: '`output_mapping` maps at least one field.',
  },
  {
    code: 'SVC4201',
    slug: 'empty-policy-unknown',
    severity: 'error',
    source: 'A',
    section: '2.8',
    description: '`empty_result_policy` is return_success_no_results, clarify or deny.',
  },
  {
    code: 'SVC4302',
    slug: 'failure-policy-value',
    severity: 'error',
    source: 'A',
    section: '2.8',
    description: 'A failure policy is propagate or fail_parent.',
  },
  {
    code: 'SVC4305',
    slug: 'audit-policy-members',
    severity: 'error',
    source: 'A',
    section: '2.8',
    description: '`audit_policy` has record_child_invocations and parent_task_lineage.',
  },
] as const satisfies readonly Rule[]
