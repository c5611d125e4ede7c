import { CONNECTION_ENDS, CONNECTION_STATES } from '../../../protocol/connections.js'
import { DELIVERY_STATES, EVENT_TYPES } from '../../../protocol/events.js'
import { FAILURES, RECOVERY_CLASS_OF } from '../../../protocol/failures.js'
import { BLOCK_KINDS, TOKEN_STATES, TOKEN_TARGETS } from '../../../protocol/operator.js'
import type { Json, JsonObject } from '../../../protocol/manifest.js'
import { APPROVAL_STATES, COST_CERTAINTIES, EVENT_CLASSES, GRANT_TYPES, REASON_TYPES } from '../../../protocol/words.js'

const text: JsonObject = { type: 'string' }
const count: JsonObject = { type: 'integer', minimum: 0 }
const time: JsonObject = { type: 'string', format: 'date-time' }
const texts: JsonObject = { type: 'array', items: text }
const maybeText: JsonObject = { type: ['string', 'null'] }
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })
const listOf = (items: JsonObject): JsonObject => ({ type: 'array', items })
const invocationId: JsonObject = { type: 'string', pattern: '^inv-[0-9a-f]{12}$' }

const object = (properties: JsonObject, required: readonly string[] = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
})

/** Null of an optional member of a request counts as absent (decisions, section 21). */
export const nullableSchema = (schema: Json): JsonObject => ({ anyOf: [schema, { type: 'null' }] })

/** Schema of a request body. */
const request = (required: JsonObject, optional: JsonObject): JsonObject =>
  object(
    {
      ...required,
      ...Object.fromEntries(Object.entries(optional).map(([name, schema]) => [name, nullableSchema(schema)])),
    },
    Object.keys(required),
  )

const MONEY = object({ currency: { type: 'string', pattern: '^[A-Z]{3}$' }, amount: { type: 'number', minimum: 0 } })
const BUDGET = object(
  {
    currency: { type: 'string', pattern: '^[A-Z]{3}$' },
    max_amount: { type: 'number', minimum: 0 },
    mode: { enum: ['per_invocation', 'cumulative'] },
  },
  ['currency', 'max_amount'],
)

const FAILURE: JsonObject = object(
  {
    type: {
      type: 'string',
      description: `One of ${Object.keys(FAILURES).length} types of the interface, or a failure of the business.`,
    },
    detail: text,
    retry: { type: 'boolean', description: 'May the very same call, unchanged, succeed later?' },
    resolution: object(
      {
        action: { type: 'string', examples: Object.keys(RECOVERY_CLASS_OF).slice(0, 3) },
        recovery_class: { enum: [...new Set(Object.values(RECOVERY_CLASS_OF))] },
        requires: text,
        grantable_by: text,
        estimated_availability: text,
        recovery_target: object({ capability: text, retry_after_recovery: { type: 'boolean' } }),
      },
      ['action', 'recovery_class'],
    ),
    approval_request_id: text,
    approval_url: text,
    connection_url: text,
    requested_parameters_digest: text,
    preview_digest: text,
    grant_policy: { type: 'object' },
    clarification: { type: 'object' },
    reason: text,
    step: object({ id: text, capability: text, failure_type: text }),
    compensations: listOf(object({ step: text, capability: text, compensation: text })),
    data: { type: 'object' },
  },
  ['type', 'detail', 'retry', 'resolution'],
)

/** Members of every envelope. */
export const LINEAGE: JsonObject = {
  client_reference_id: { type: 'string', maxLength: 256 },
  task_id: { type: 'string', maxLength: 256 },
  parent_invocation_id: invocationId,
  upstream_service: text,
}

const BUDGET_CONTEXT = object(
  {
    budget_max: { type: 'number' },
    budget_currency: text,
    cost_check_amount: { type: 'number' },
    cost_certainty: { enum: COST_CERTAINTIES },
    budget_spent: { type: 'number' },
    budget_remaining: { type: 'number' },
  },
  ['budget_max', 'budget_currency'],
)

const ERASED = object(
  { ranges: { type: 'array', items: { type: 'array', items: count, minItems: 2, maxItems: 2 } }, count },
  ['ranges', 'count'],
)

const REFUSED = object({ since: time, count, by_type: { type: 'object' } }, ['since', 'count', 'by_type'])

const AUDIT_MEMBERS = {
    sequence: count, entry_type: text, invocation_id: maybeText, capability: maybeText, actor_key: text, root_principal: text,
    event_class: { enum: EVENT_CLASSES }, success: { type: 'boolean' }, failure_type: maybeText, client_reference_id: maybeText, task_id: maybeText,
    parent_invocation_id: maybeText, upstream_service: maybeText, approval_request_id: maybeText, approval_grant_id: maybeText, token_id: maybeText,
    delegation_chain: texts, cost_actual: { anyOf: [ref('Money'), { type: 'null' }] }, parameters: { type: 'object' }, timestamp: time,
} // prettier-ignore
const AUDIT_ENTRY = object(
  {
    ...AUDIT_MEMBERS,
    cost_exceeded: { const: true },
    result_deviations: listOf(ref('AnswerDeviation')),
    cost_charged: ref('Money'),
    cost_checked: ref('Money'),
    cost_held: ref('Money'),
    erased: ERASED,
    redacted: { const: true },
    leaf_hash: text,
    refused: REFUSED,
    detail: text,
    issued: { type: 'object' },
    approval: { type: 'object' },
    operated: { type: 'object' },
    credential: { type: 'object' },
  },
  Object.keys(AUDIT_MEMBERS),
)

/** Members of every grant (section 2.12), then optional ones. */
const GRANT_MEMBERS = {
  grant_id: text, approval_request_id: text, capability: text, scope: texts, requester: { type: 'object' }, approver: text, parameters_digest: text,
  grant_type: { enum: GRANT_TYPES }, session_id: maybeText, issued_at: time, expires_at: time, max_uses: count, signature: text,
} // prettier-ignore
const GRANT = object({ ...GRANT_MEMBERS, preview_digest: text, step: { type: 'object' } }, Object.keys(GRANT_MEMBERS))

const CHECKPOINT = {
  checkpoint_id: text,
  sequence: count,
  merkle_root: text,
  entry_count: count,
  created_at: time,
  signature: text,
}

const PERMISSION = object(
  {
    capability: text,
    reason: text,
    reason_type: { enum: REASON_TYPES },
    grantable_by: text,
    unmet_token_requirements: texts,
    resolution_hint: text,
  },
  ['capability', 'reason', 'reason_type'],
)

/** A token as operators list it, and a block (decisions, section 13). */
// prettier-ignore
const LISTED_TOKEN = object(
  {
    token_id: text, parent_token_id: text, root_principal: text, subject: text, scope: texts, capability: text, budget: ref('Budget'),
    spent: { type: 'number' }, task_id: text, depth: count, state: { enum: TOKEN_STATES }, credential: { type: 'object' }, issued_at: time, expires_at: time,
  },
  ['token_id', 'root_principal', 'subject', 'scope', 'depth', 'state', 'issued_at', 'expires_at'],
)
// prettier-ignore
const BLOCK = object(
  {
    block_id: text, kind: { enum: BLOCK_KINDS }, value: text, reason: text, created_by: text, created_at: time, lifted_at: time, lifted_by: text,
  },
  ['block_id', 'kind', 'value', 'reason', 'created_by', 'created_at'],
)

/** A person's account at an upstream system (decisions, section 19). */
// prettier-ignore
const CONNECTION = object(
  {
    connection_id: text, person: text, upstream: text, account: text, scopes: texts, wanted: texts, state: { enum: CONNECTION_STATES },
    ended_because: { enum: CONNECTION_ENDS }, connected_at: time, last_used_at: time, last_used_by: text,
  },
  ['connection_id', 'person', 'upstream', 'scopes', 'state', 'connected_at'],
)

/** An event as operators list it (decisions, section 13). */
// prettier-ignore
const LISTED_EVENT = object(
  {
    event_id: text, type: { enum: EVENT_TYPES }, subject: text, target: text, state: { enum: DELIVERY_STATES }, attempts: count, created_at: time,
    next_attempt_at: time, ended_at: time, last_error: text,
  },
  ['event_id', 'type', 'subject', 'target', 'state', 'attempts', 'created_at'],
)

/** The envelope of a failure, before its types are known. */
export const FAILURE_ENVELOPE = {
  type: 'object',
  properties: {
    success: { const: false },
    invocation_id: invocationId,
    ...LINEAGE,
    result_deviations: listOf(ref('AnswerDeviation')),
    cost_actual: ref('Money'),
    budget_context: ref('BudgetContext'),
  },
  required: ['success', 'failure'],
}

/** The schemas that every service has, by name. */
// prettier-ignore
export const PROTOCOL_SCHEMAS: { readonly [name: string]: JsonObject } = {
  Money: MONEY,
  AnswerDeviation: object({ pointer: text, expected: text, got: text }),
  Budget: BUDGET,
  BudgetContext: BUDGET_CONTEXT,
  Failure: FAILURE,
  TokenRequest: request({ scope: texts }, { capability: text, subject: text, parent_token: text, purpose_parameters: { type: 'object' }, budget: ref('Budget'), caller_class: text, concurrent_branches: { enum: ['allowed', 'exclusive'], default: 'allowed' }, ttl_hours: { type: 'number', exclusiveMinimum: 0 }, session_id: text, max_delegation_depth: count }),
  TokenResponse: object({ issued: { const: true }, token_id: text, token: text, scope: texts, capability: text, task_id: text, budget: ref('Budget'), expires_at: time, expires: time }, ['issued', 'token_id', 'token', 'scope', 'expires_at', 'expires']),
  RevocationRequest: object({ token_id: text }),
  Revocation: object({ revoked: { const: true }, token_id: text, descendants: count }),
  Permissions: object({ available: listOf(object({ capability: text, scope_match: text, constraints: { type: 'object' } })), restricted: listOf(PERMISSION), denied: listOf(PERMISSION) }),
  ApprovalRequest: object({ approval_request_id: text, capability: text, scope: texts, requester: { type: 'object' }, requested_parameters: { type: 'object' }, requested_parameters_digest: text, preview: {}, preview_digest: text, grant_policy: { type: 'object' }, parent_invocation_id: maybeText, status: { enum: APPROVAL_STATES }, approver: maybeText, decided_at: maybeText, reason: maybeText, answered_at: time, invocation_id: text, created_at: time, expires_at: time, step: { type: 'object' }, checked_cost: ref('Money'), approvals: count, approvals_needed: count, approver_scope: text, grant_id: text, approval_url: text, context: { type: 'object' } }, ['approval_request_id', 'capability', 'status', 'expires_at']),
  ApprovalRequests: object({ approval_requests: listOf(ref('ApprovalRequest')), count, next_cursor: text }, ['approval_requests', 'count']),
  Denial: request({}, { reason: text, holds: { type: 'boolean' } }),
  GrantEnd: request({}, { reason: text }),
  GrantRequest: request({ approval_request_id: text }, { grant_type: { enum: GRANT_TYPES }, session_id: text, expires_in_seconds: { type: 'integer', minimum: 1 }, max_uses: { type: 'integer', minimum: 1 }, reason: text }),
  ApprovalGrant: GRANT,
  PendingApproval: object({ approval_request_id: text, status: { const: 'pending' }, approvals: count, approvals_needed: count }),
  GrantRevocation: object({ revoked: { const: true }, grant_id: text, approval_request_id: text }),
  ListedToken: LISTED_TOKEN,
  TokenList: object({ tokens: listOf(ref('ListedToken')), count, next_cursor: text }, ['tokens', 'count']),
  TokensRevocationRequest: { ...request({ reason: text }, Object.fromEntries(TOKEN_TARGETS.map((target) => [target, text]))), oneOf: TOKEN_TARGETS.map((target) => ({ required: [target], properties: { [target]: text } })) },
  TokensRevocation: object({ revoked: { const: true }, tokens: count, block: ref('Block') }, ['revoked', 'tokens']),
  Block: BLOCK,
  BlockList: object({ blocks: listOf(ref('Block')), count }),
  Connection: CONNECTION,
  ConnectionList: object({ connections: listOf(ref('Connection')), upstreams: listOf(object({ upstream: text, title: text, issuer: text, capabilities: texts, connection_url: text }, ['upstream', 'title', 'issuer', 'capabilities'])), count, next_cursor: text }, ['connections', 'upstreams', 'count']),
  ClientMetadata: object({ client_id: text, client_name: text, redirect_uris: texts, grant_types: texts, response_types: texts, application_type: text, token_endpoint_auth_method: text }),
  Reasoned: object({ reason: text }),
  PausedCapabilities: object({ paused: listOf(object({ capability: text, reason: text, paused_by: text, paused_at: time })) }),
  InvocationResolutionRequest: request({ happened: { type: 'boolean' }, reason: text }, { amount: { type: 'number', minimum: 0 } }),
  InvocationResolution: object({ resolved: { const: true }, invocation_id: invocationId, happened: { type: 'boolean' }, cost: ref('Money'), released: ref('Money') }, ['resolved', 'invocation_id', 'happened']),
  EventList: object({ events: listOf(LISTED_EVENT), count, next_cursor: text }, ['events', 'count']),
  EventResendingRequest: request({ reason: text }, { target: text }),
  EventResending: object({ event_id: text, targets: texts }),
  AuditEntry: AUDIT_ENTRY,
  AuditPage: object({ entries: listOf(ref('AuditEntry')), count, next_cursor: text }, ['entries', 'count']),
  Checkpoint: object(CHECKPOINT),
  Checkpoints: object({ checkpoints: listOf(ref('Checkpoint')), next_cursor: text }, ['checkpoints']),
  CheckpointDetail: object({ ...CHECKPOINT, tree_size: count, tree_head: text, inclusion_proof: { type: 'object' }, consistency_proof: { type: 'object' } }, [...Object.keys(CHECKPOINT), 'tree_size', 'tree_head']),
  Discovery: object({ svc_discovery: { type: 'object' } }),
  Jwks: object({ keys: listOf({ type: 'object' }) }),
  Manifest: object({ manifest_metadata: { type: 'object' }, service_identity: { type: 'object' }, trust: { type: 'object' }, capabilities: { type: 'object' } }),
  Tools: object({ service_id: text, tools: listOf({ type: 'object' }) }),
  OpenApi: object({ openapi: text, info: { type: 'object' }, paths: { type: 'object' } }),
  Graph: object({ capability: text, requires: listOf({}), refresh_via: texts, verify_via: texts, composed_of: texts, used_by: texts }),
  Metrics: text,
  Health: object({ status: text, storage: { type: 'boolean' }, keys: { type: 'boolean' }, alarms: texts }, ['status']),
}
