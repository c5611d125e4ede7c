import type { Operation } from './endpoints.js'

const PAGE = ['limit', 'cursor'] as const

/** Filters of the trail, for whoever reads it (section 4.8). */
export const AUDIT_FILTERS = [
  'capability', 'since', 'until', 'invocation_id', 'client_reference_id', 'task_id', 'parent_invocation_id', 'approval_request_id',
  'event_class', 'success', ...PAGE,
] as const // prettier-ignore

/** Filters of the trail of everybody (decisions, section 13). */
export const AUDITOR_FILTERS = ['principal', 'actor', 'api_key', 'entry_type'] as const

/** Filters that select entries as they come: a stream has no end, and its place is the last id. */
export const STREAM_FILTERS = [
  'capability', 'invocation_id', 'client_reference_id', 'task_id', 'parent_invocation_id', 'approval_request_id', 'event_class', 'success', 'after',
] as const // prettier-ignore

/** Operation -> query parameters that it takes; every other one is refused (decisions, section 21). */
export const QUERY_PARAMETERS = {
  approval_list: ['status', 'capability', ...PAGE],
  approval_read: ['wait'],
  audit: AUDIT_FILTERS,
  checkpoints: ['since', ...PAGE],
  checkpoint: ['leaf_index', 'invocation_id', 'consistency_from', 'format'],
  operator_tokens: ['principal', 'subject', 'api_key', 'capability', 'state', ...PAGE],
  operator_blocks: ['limit'],
  operator_approvals: ['status', 'capability', ...PAGE],
  operator_events: ['state', 'type', 'target', ...PAGE],
  connections: PAGE,
  operator_connections: ['principal', 'upstream', ...PAGE],
  auditor_trail: [...AUDITOR_FILTERS, ...AUDIT_FILTERS],
  audit_stream: [...AUDITOR_FILTERS, ...STREAM_FILTERS],
} as const satisfies { readonly [operation in Operation]?: readonly string[] }

export type Queried = keyof typeof QUERY_PARAMETERS

/** Query parameters of an operation, by name. */
export const queryParametersOf = (operation: Operation): readonly string[] =>
  Object.hasOwn(QUERY_PARAMETERS, operation) ? QUERY_PARAMETERS[operation as Queried] : []
