/** The members of an audit entry that only invocations and approvals fill (section 6). */
export const EMPTY_ENTRY = {
  invocation_id: null,
  capability: null,
  failure_type: null,
  client_reference_id: null,
  task_id: null,
  parent_invocation_id: null,
  upstream_service: null,
  approval_request_id: null,
  approval_grant_id: null,
  cost_actual: null,
  parameters: {},
} as const
