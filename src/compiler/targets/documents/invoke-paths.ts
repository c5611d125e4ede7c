import { pathOf } from '../../../protocol/endpoints.js'
import type { JsonObject } from '../../../protocol/manifest.js'
import { aboutCapability } from '../../plan/comments.js'
import type { CapabilityPlan } from '../../plan/plan.js'
import { referencesTo, refusedResponses, type RefusedResponse } from './refused-responses.js'
import { LINEAGE } from './protocol-schemas.js'
import { outputExample, parametersExample } from './value-schemas.js'

/** Failures that any call may meet (section 4.6). */
const ANY_CALL = [
  'authentication_required', 'invalid_token', 'token_expired', 'token_revoked', 'scope_insufficient', 'purpose_mismatch', 'delegation_depth_exceeded',
  'invalid_parameters', 'concurrent_request_rejected', 'idempotency_in_progress', 'idempotency_conflict', 'rate_limited', 'payload_too_large',
  'unsupported_media_type', 'outcome_unknown', 'service_unavailable', 'internal_error',
] as const // prettier-ignore

/** Everything that calling a capability may be refused with. */
export const refusalsOfCall = ({ refusals, callFailures }: CapabilityPlan): readonly RefusedResponse[] =>
  refusedResponses([...ANY_CALL, ...refusals, ...callFailures.map(({ type }) => type)])

/** The path of a capability: its own inputs, its own result, its own failures. */
export function invokePath(plan: CapabilityPlan, refused: readonly RefusedResponse[]): readonly [string, JsonObject] {
  const { name, identifier, declaration } = plan
  const [summary = name, ...more] = aboutCapability(declaration)
  const operation = {
    operationId: identifier,
    tags: ['Capabilities'],
    summary: summary.length > 120 ? `${summary.slice(0, 119)}…` : summary,
    description: [summary, ...more].join('\n\n'),
    security: [{ delegation: [] }],
    'x-svc-side-effect': declaration.side_effect.type,
    'x-svc-minimum-scope': declaration.minimum_scope,
    parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }],
    requestBody: { required: true, content: { 'application/json': requestOf(plan) } },
    responses: { '200': success(plan), ...referencesTo(refused) },
  }
  return [pathOf('invoke', { capability: name }), { post: operation }]
}

const requestOf = (plan: CapabilityPlan): JsonObject => ({
  schema: requestSchema(plan),
  example: { parameters: parametersExample(plan.declaration.inputs) },
})

const requestSchema = ({ typeName, context }: CapabilityPlan): JsonObject => ({
  type: 'object',
  properties: {
    parameters: { $ref: `#/components/schemas/${typeName}Parameters` },
    ...LINEAGE,
    approval_grant: { type: 'string', description: 'A grant for exactly this call.' },
    ...(context.streams ? { stream: { type: 'boolean', default: false } } : {}),
  },
  required: ['parameters'],
})

function success({ typeName, declaration, financial, context }: CapabilityPlan): JsonObject {
  const schema = {
    type: 'object',
    properties: {
      success: { const: true },
      invocation_id: { type: 'string', pattern: '^inv-[0-9a-f]{12}$' },
      ...LINEAGE,
      result: { $ref: `#/components/schemas/${typeName}Output` },
      ...(financial ? { cost_actual: { $ref: '#/components/schemas/Money' } } : {}),
      budget_context: { $ref: '#/components/schemas/BudgetContext' },
    },
    required: ['success', 'invocation_id', 'result'],
  }
  const example = { success: true, invocation_id: 'inv-0123456789ab', result: outputExample(declaration.output.fields) }
  return {
    description: 'The result.',
    content: { 'application/json': { schema, example }, ...(context.streams ? { 'text/event-stream': EVENTS } : {}) },
  }
}

const EVENTS: JsonObject = {
  schema: {
    type: 'string',
    description: 'Events `progress`, then exactly one of `completed` or `failed`, whose data is the envelope.',
  },
  example: 'event: progress\ndata: {"invocation_id":"inv-0123456789ab","timestamp":"2030-05-01T09:30:00Z"}\n\n',
}
