import type { Rule } from './rule.js'

export const auditPolicyHasBothMembers = {
  code: 'SVC4305',
  slug: 'audit-policy-members',
  severity: 'error',
  source: 'A',
  section: '2.8',
  law: '`audit_policy` has record_child_invocations and parent_task_lineage.',
} satisfies Rule
