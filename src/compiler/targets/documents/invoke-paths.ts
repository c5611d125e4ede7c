import type { BusinessFailure } from '../../../protocol/business-failures.js'
import { pathOf } from '../../../protocol/endpoints.js'
import type { FailureType } from '../../../protocol/failures.js'
import type { JsonObject } from '../../../protocol/manifest.js'
import type { CapabilityPlan } from '../../plan/plan.js'
import { membersText } from './json-text.js'
import { ANY_REQUEST } from './operations.js'
import { LINEAGE, nullableSchema } from './protocol-schemas.js'
import { referencesTo, refusedResponses, type RefusedResponse } from './refused-responses.js'
import type { ValueSchemas } from '../../../protocol/value-schema.js'
import { outputExample, parametersExample } from './value-schemas.js'

/** Failures that any call may meet (section 4.6). */
const ANY_CALL = [
  'authentication_required', 'invalid_token', 'token_expired', 'token_revoked', 'scope_insufficient', 'purpose_mismatch', 'delegation_depth_exceeded',
  'invalid_parameters', 'concurrent_request_rejected', 'idempotency_in_progress', 'idempotency_conflict', 'rate_limited', 'payload_too_large',
  'unsupported_media_type', 'outcome_unknown', 'service_unavailable', 'internal_error',
] as const // prettier-ignore

/** Failures of calls, and their documentation in paths. */
export interface CallRefusals {
  readonly responses: readonly RefusedResponse[]
  /** Members of `responses`, as JSON text. */
  readonly references: string
}

/** Everything that calling a capability may be refused with; most capabilities of a service share it. */
export function refusalsOfCalls(): (plan: CapabilityPlan) => CallRefusals {
  const known = new Map<string, CallRefusals>()
  return ({ refusals, callFailures, declaration: { response_modes } }) => {
    const mode = response_modes.length > 1 ? [] : (['streaming_not_supported'] as const)
    const types: readonly FailureType[] = [...mode, ...refusals]
    const key = [...types, ...callFailures.map(({ type, status }) => `${type} ${status}`)].join(' ')
    const refused = known.get(key) ?? refusalsWith(types, callFailures)
    known.set(key, refused)
    return refused
  }
}

function refusalsWith(types: readonly FailureType[], declared: readonly BusinessFailure[]): CallRefusals {
  const responses = refusedResponses([...ANY_REQUEST, ...ANY_CALL, ...types], declared)
  return { responses, references: membersText(referencesTo(responses)) }
}

/**
 * The path of a capability as a member of `paths`: its own inputs, its own result, its own failures. Written, not
 * built.
 */
export function invokePath(plan: CapabilityPlan, references: string, shared: ValueSchemas): string {
  const { name, identifier, declaration, about } = plan
  const [summary = name, ...more] = about
  const head = membersText({
    operationId: identifier,
    tags: ['Capabilities'],
    summary: summary.length > 120 ? `${summary.slice(0, 119)}…` : summary,
    description: [summary, ...more].join('\n\n'),
    security: [{ delegation: [] }],
    'x-svc-side-effect': declaration.side_effect.type,
    'x-svc-minimum-scope': declaration.minimum_scope,
    parameters: [{ $ref: '#/components/parameters/IdempotencyKey' }],
  })
  const path = JSON.stringify(pathOf('invoke', { capability: name }))
  return (
    `${path}: ` +
    `{"post":{${head},"requestBody":${requestBody(plan, shared)},"responses":{"200":${success(plan, shared)},${references}}}}`
  )
}

const orNulls = (members: JsonObject): string =>
  membersText(Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, nullableSchema(schema)])))
const lineage = orNulls(LINEAGE)
const grant = orNulls({ approval_grant: { type: 'string', description: 'A grant for exactly this call.' } })
const bounds = orNulls({
  requested_effects: {
    type: 'array',
    maxItems: 100,
    items: { type: 'string' },
    description: 'Effects that the call is made for; each is one of `business_effects.produces`.',
  },
  budget: { $ref: '#/components/schemas/Budget', description: 'Ceiling of this call, within the budget of the token.' },
})
const stream = orNulls({ stream: { type: 'boolean', default: false } })

function requestBody({ typeName, context, declaration }: CapabilityPlan, shared: ValueSchemas): string {
  const parameters = reference(`${typeName}Parameters`)
  const properties = `"parameters":${parameters},${lineage},${grant},${bounds}${context.streams ? `,${stream}` : ''}`
  const schema = `{"type":"object","properties":{${properties}},"required":["parameters"]}`
  const parametersOfExample = parametersExample(declaration.inputs, shared)
  const example =
    parametersOfExample === undefined ? '' : `,"example":${JSON.stringify({ parameters: parametersOfExample })}`
  return `{"required":true,"content":{"application/json":{"schema":${schema}${example}}}}`
}

const reference = (schema: string): string => JSON.stringify({ $ref: `#/components/schemas/${schema}` })

const succeeded = membersText({
  success: { const: true },
  invocation_id: { type: 'string', pattern: '^inv-[0-9a-f]{12}$' },
  ...LINEAGE,
})
const cost = membersText({ cost_actual: { $ref: '#/components/schemas/Money' } })
const budget = membersText({ budget_context: { $ref: '#/components/schemas/BudgetContext' } })

function success({ typeName, declaration, financial, context }: CapabilityPlan, shared: ValueSchemas): string {
  const properties = `${succeeded},"result":${reference(`${typeName}Output`)},${financial ? `${cost},` : ''}${budget}`
  const schema = `{"type":"object","properties":{${properties}},"required":["success","invocation_id","result"]}`
  const result = outputExample(declaration.output.fields, shared)
  const envelope = `{"success":true,"invocation_id":"inv-0123456789ab","result":${JSON.stringify(result)}}`
  const example = result === undefined ? '' : `,"example":${envelope}`
  const json = `"application/json":{"schema":${schema}${example}}`
  return `{"description":"The result.",${replayed},"content":{${json}${context.streams ? `,${events}` : ''}}}`
}

const replayed = membersText({
  headers: { 'Idempotency-Replayed': { $ref: '#/components/headers/IdempotencyReplayed' } },
})

const EVENTS: JsonObject = {
  'text/event-stream': {
    schema: {
      type: 'string',
      description: 'Events `progress`, then exactly one of `completed` or `failed`, whose data is the envelope.',
    },
    example: 'event: progress\ndata: {"invocation_id":"inv-0123456789ab","timestamp":"2030-05-01T09:30:00Z"}\n\n',
  },
}
const events = membersText(EVENTS)
