import type { Operation } from '../../../protocol/endpoints.js'
import type { Queried, QUERY_PARAMETERS } from '../../../protocol/query-parameters.js'
import type { FailureType } from '../../../protocol/failures.js'

/** Documentation of an operation that is not an invocation. */
export interface OperationText {
  readonly summary: string
  readonly tag: 'Discovery' | 'Authority' | 'Approvals' | 'Trail' | 'Connections' | 'Operators' | 'Health'
  readonly request?: string
  readonly response: string
  readonly query?: { readonly [name: string]: QueryText }
  readonly refusals: readonly FailureType[]
  /** Description of the plain text response, if the operation offers one. */
  readonly text?: string
  /** Description of the event stream, if the response is one instead of JSON. */
  readonly events?: string
  /** Status -> what it means, where the answer has the same form beside 200. */
  readonly others?: { readonly [status: string]: { readonly about: string; readonly response: string } }
}

/** Type and meaning of a query parameter. */
type QueryText = readonly ['string' | 'integer' | 'boolean', string]

/** An operation that takes query parameters has a text for each of them, and no other. */
type TextOf<Name extends Operation> = Omit<OperationText, 'query'> &
  (Name extends Queried
    ? { readonly query: { readonly [parameter in (typeof QUERY_PARAMETERS)[Name][number]]: QueryText } }
    : { readonly query?: never })

const LIMIT = { limit: ['integer', 'How many at most.'] } as const
const PAGE = { ...LIMIT, cursor: ['string', 'The `next_cursor` of the page before.'] } as const
/** Of whatever asks the store. */
const STORE = ['service_unavailable', 'internal_error'] as const
/** Of whatever wants a credential. */
export const CREDENTIAL = [
  ...STORE,
  'authentication_required',
  'invalid_token',
  'token_expired',
  'token_revoked',
  'rate_limited',
] as const
const BODY = ['invalid_parameters', 'payload_too_large', 'unsupported_media_type'] as const

/** Of whatever is asked: a version that is not spoken, a host that is not served. */
export const ANY_REQUEST = ['unsupported_version', 'insufficient_authority'] as const

/** Operation -> what it is for. An endpoint without a row does not compile. */
// prettier-ignore
export const OPERATION_TEXTS: { readonly [operation in Exclude<Operation, 'invoke'>]: TextOf<operation> } = {
  discovery:       { summary: 'Find the service and its contract', tag: 'Discovery', response: 'Discovery', refusals: [] },
  jwks:            { summary: 'Read the public keys', tag: 'Discovery', response: 'Jwks', refusals: [] },
  tools:           { summary: 'Read the capabilities as tools of a model', tag: 'Discovery', response: 'Tools', refusals: ['internal_error'] },
  openapi:         { summary: 'Read this document', tag: 'Discovery', response: 'OpenApi', refusals: ['not_found', 'internal_error'] },
  manifest:        { summary: 'Read the signed manifest', tag: 'Discovery', response: 'Manifest', refusals: ['internal_error'] },
  graph:           { summary: 'See what a capability needs and is part of', tag: 'Discovery', response: 'Graph', refusals: ['unknown_capability'] },
  tokens:          { summary: 'Issue a delegation token', tag: 'Authority', request: 'TokenRequest', response: 'TokenResponse', refusals: [...CREDENTIAL, ...BODY, 'scope_escalation', 'purpose_mismatch', 'delegation_depth_exceeded', 'budget_exceeded', 'budget_currency_mismatch', 'unknown_capability', 'not_found'] },
  revoke:          { summary: 'Revoke a token and everything below it', tag: 'Authority', request: 'RevocationRequest', response: 'Revocation', refusals: [...CREDENTIAL, ...BODY, 'not_found'] },
  permissions:     { summary: 'See what the token may do, and what it lacks', tag: 'Authority', response: 'Permissions', refusals: [...CREDENTIAL, ...BODY] },
  approval_list:   { summary: 'List approval requests', tag: 'Approvals', response: 'ApprovalRequests', query: { status: ['string', 'Only requests in this state.'], capability: ['string', 'Only requests for this capability.'], ...PAGE }, refusals: [...CREDENTIAL, 'invalid_parameters'] },
  approval_read:   { summary: 'Read an approval request, or wait for its decision', tag: 'Approvals', response: 'ApprovalRequest', query: { wait: ['integer', 'Seconds to wait for a decision.'] }, refusals: [...CREDENTIAL, 'invalid_parameters', 'approval_request_not_found'] },
  approval_deny:   { summary: 'Deny an approval request', tag: 'Approvals', request: 'Denial', response: 'ApprovalRequest', refusals: [...CREDENTIAL, ...BODY, 'approver_not_authorized', 'approval_request_not_found', 'approval_request_closed'] },
  approval_withdraw: { summary: 'Take an approval request back', tag: 'Approvals', response: 'ApprovalRequest', refusals: [...CREDENTIAL, ...BODY, 'approval_request_not_found', 'approval_request_closed'] },
  approval_grants: { summary: 'Approve a request with a signed grant', tag: 'Approvals', request: 'GrantRequest', response: 'ApprovalGrant', others: { '202': { about: 'Approved, and others must approve, too.', response: 'PendingApproval' } }, refusals: [...CREDENTIAL, ...BODY, 'approver_not_authorized', 'approval_request_not_found', 'approval_request_closed', 'grant_policy_violation'] },
  approval_grant_revoke: { summary: 'Take back what is left of a grant', tag: 'Approvals', request: 'GrantEnd', response: 'GrantRevocation', refusals: [...CREDENTIAL, ...BODY, 'approval_request_not_found', 'approval_request_closed'] },
  audit:           { summary: 'Read the trail of the token’s root principal', tag: 'Trail', response: 'AuditPage', query: { capability: ['string', 'Only this capability.'], since: ['string', 'Entries after this time.'], until: ['string', 'Entries up to this time.'], invocation_id: ['string', 'Only this invocation.'], client_reference_id: ['string', 'Only this reference.'], task_id: ['string', 'Only this task.'], parent_invocation_id: ['string', 'Only children of this invocation.'], approval_request_id: ['string', 'Only what came of this approval request.'], event_class: ['string', 'Only this class.'], success: ['boolean', 'Only successes, or only failures.'], ...PAGE }, refusals: [...CREDENTIAL, ...BODY] },
  checkpoints:     { summary: 'List signed checkpoints', tag: 'Trail', response: 'Checkpoints', query: { since: ['string', 'Only those made after this time.'], ...PAGE }, refusals: ['invalid_parameters', ...STORE] },
  checkpoint:      { summary: 'Read a checkpoint, with proofs', tag: 'Trail', response: 'CheckpointDetail', query: { leaf_index: ['integer', 'Prove that this entry is in.'], invocation_id: ['string', 'Prove that this invocation is in.'], consistency_from: ['string', 'Prove that nothing before this checkpoint changed.'], format: ['string', '`note`: as a signed note, `json` otherwise.'] }, text: 'A C2SP signed note.', refusals: ['not_found', 'invalid_parameters', ...STORE] },
  operator_tokens: { summary: 'List tokens', tag: 'Operators', response: 'TokenList', query: { principal: ['string', 'Only those that this principal bought.'], subject: ['string', 'Only those that it holds.'], api_key: ['string', 'Only those that this API key bought.'], capability: ['string', 'Only those for this capability alone.'], state: ['string', '`live`, `revoked` or `expired`.'], ...PAGE }, refusals: [...CREDENTIAL, 'invalid_parameters'] },
  operator_revoke: { summary: 'End all tokens of a principal, a subject, an API key or a capability, and block who could buy new ones', tag: 'Operators', request: 'TokensRevocationRequest', response: 'TokensRevocation', refusals: [...CREDENTIAL, ...BODY, 'not_found'] },
  operator_blocks: { summary: 'List blocks', tag: 'Operators', response: 'BlockList', query: LIMIT, refusals: [...CREDENTIAL, 'invalid_parameters'] },
  operator_block_lift: { summary: 'Lift a block', tag: 'Operators', response: 'Block', refusals: [...CREDENTIAL, ...BODY, 'not_found'] },
  operator_paused: { summary: 'List paused capabilities', tag: 'Operators', response: 'PausedCapabilities', refusals: [...CREDENTIAL] },
  operator_pause:  { summary: 'Pause a capability: its calls are answered with `service_unavailable`', tag: 'Operators', request: 'Reasoned', response: 'PausedCapabilities', refusals: [...CREDENTIAL, ...BODY, 'unknown_capability'] },
  operator_resume: { summary: 'Resume a capability', tag: 'Operators', request: 'Reasoned', response: 'PausedCapabilities', refusals: [...CREDENTIAL, ...BODY, 'unknown_capability', 'not_found'] },
  operator_invocation_resolve: { summary: 'Say what happened where the outcome of an invocation is unknown', tag: 'Operators', request: 'InvocationResolutionRequest', response: 'InvocationResolution', refusals: [...CREDENTIAL, ...BODY, 'not_found'] },
  operator_approvals: { summary: 'List the approval requests of everybody', tag: 'Operators', response: 'ApprovalRequests', query: { status: ['string', 'Only requests in this state.'], capability: ['string', 'Only requests for this capability.'], ...PAGE }, refusals: [...CREDENTIAL, 'invalid_parameters'] },
  operator_events: { summary: 'List events and what became of them', tag: 'Operators', response: 'EventList', query: { state: ['string', '`pending`, `delivered` or `dead`.'], type: ['string', 'Only events of this type.'], target: ['string', 'Only those for this item of `notify`.'], ...PAGE }, refusals: [...CREDENTIAL, 'invalid_parameters'] },
  operator_event_resend: { summary: 'Send an event again', tag: 'Operators', request: 'EventResendingRequest', response: 'EventResending', refusals: [...CREDENTIAL, ...BODY, 'not_found'] },
  connections:     { summary: 'List accounts at upstream systems that the caller has connected', tag: 'Connections', response: 'ConnectionList', query: PAGE, refusals: [...CREDENTIAL, 'invalid_parameters'] },
  connection_disconnect: { summary: 'Disconnect an account', tag: 'Connections', response: 'Connection', refusals: [...CREDENTIAL, ...BODY, 'not_found'] },
  operator_connections: { summary: 'List the connected accounts of everybody', tag: 'Operators', response: 'ConnectionList', query: { principal: ['string', 'Only those of this person.'], upstream: ['string', 'Only those at this upstream system.'], ...PAGE }, refusals: [...CREDENTIAL, 'invalid_parameters'] },
  client_metadata: { summary: 'Read the client metadata document of this service', tag: 'Connections', response: 'ClientMetadata', refusals: ['not_found'] },
  auditor_trail:   { summary: 'Read the trail of all principals', tag: 'Operators', response: 'AuditPage', query: { principal: ['string', 'Only entries of this root principal.'], actor: ['string', 'Only what this principal did.'], api_key: ['string', 'Only what this API key stood behind.'], entry_type: ['string', 'Only entries of this type.'], capability: ['string', 'Only this capability.'], since: ['string', 'Entries after this time.'], until: ['string', 'Entries up to this time.'], invocation_id: ['string', 'Only this invocation.'], client_reference_id: ['string', 'Only this reference.'], task_id: ['string', 'Only this task.'], parent_invocation_id: ['string', 'Only children of this invocation.'], approval_request_id: ['string', 'Only what came of this approval request.'], event_class: ['string', 'Only this class.'], success: ['boolean', 'Only successes, or only failures.'], ...PAGE }, refusals: [...CREDENTIAL, ...BODY] },
  audit_stream:    { summary: 'Follow the trail as it grows', tag: 'Operators', response: 'AuditEntry', events: 'Server-sent events: first `from` with the sequence to begin after, then `entry` with an `AuditEntry` as its data and its sequence as id.', query: { after: ['integer', 'The sequence that was seen last; `Last-Event-ID` says it, too. Without it: entries from now on.'], principal: ['string', 'For auditors: only entries of this root principal.'], actor: ['string', 'For auditors: only what this principal did.'], api_key: ['string', 'For auditors: only what this API key stood behind.'], entry_type: ['string', 'For auditors: only entries of this type.'], capability: ['string', 'Only this capability.'], invocation_id: ['string', 'Only this invocation.'], client_reference_id: ['string', 'Only this reference.'], task_id: ['string', 'Only this task.'], parent_invocation_id: ['string', 'Only children of this invocation.'], approval_request_id: ['string', 'Only what came of this approval request.'], event_class: ['string', 'Only this class.'], success: ['boolean', 'Only successes, or only failures.'] }, refusals: [...CREDENTIAL, 'invalid_parameters'] },
  metrics:         { summary: 'Read the metrics', tag: 'Operators', response: 'Metrics', text: 'Prometheus’ text format 0.0.4.', refusals: [...CREDENTIAL, 'not_found'] },
  live:            { summary: 'Is the process alive?', tag: 'Health', response: 'Health', refusals: [] },
  ready:           { summary: 'Can it serve?', tag: 'Health', response: 'Health', refusals: [], others: { '503': { about: 'It cannot serve now.', response: 'Health' } } },
}
