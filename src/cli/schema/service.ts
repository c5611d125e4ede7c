/** Schemas of what commands print for a running service: its response, or the refusal (decisions, section 13). */
import { closed, listOf, oneOfSchema, textSchema } from '../../compiler/report/closed.js'
import { LINEAGE, PROTOCOL_SCHEMAS } from '../../compiler/targets/documents/protocol-schemas.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'
import { CHECK_RESULTS } from '../permissions/why-checks.js'
import { MEMBERS } from './members.js'

const IN_DOCUMENTS = '#/components/schemas/'
const ref = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` })
const text: JsonObject = { type: 'string' }
const texts: JsonObject = { type: 'array', items: text }
const seconds: JsonObject = { type: 'integer', minimum: 0 }
const object = (properties: JsonObject, required: readonly string[] = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  required,
})

const OUTCOME = object(
  {
    success: { const: true },
    invocation_id: LINEAGE['parent_invocation_id']!,
    result: {},
    ...LINEAGE,
    cost_actual: ref('Money'),
    budget_context: ref('BudgetContext'),
  },
  ['success', 'invocation_id', 'result'],
)

/** End of a streamed call. */
const LAST_LINE = object(
  { ...(OUTCOME['properties'] as JsonObject), timestamp: text, stream_summary: { type: 'object' } },
  ['success', 'invocation_id', 'result'],
)

const CLAIMS = object(
  {
    jti: text, iss: text, aud: text, sub: text, iat: seconds, nbf: seconds, exp: seconds, scope: texts, root_principal: text, capability: text,
    purpose: { type: 'object' }, parent_token_id: text, constraints: { type: 'object' }, caller_class: text, session_id: text,
  },
  ['jti', 'iss', 'aud', 'sub', 'iat', 'exp', 'scope', 'root_principal', 'purpose', 'constraints'],
) // prettier-ignore

const CHECKS = closed('Checks of a call, without making it.', {
  capability: textSchema('The capability.'),
  checks: listOf('The checks, in their order.', {
    ...closed(
      'A check.',
      {
        check: textSchema('Name of the check.'),
        result: oneOfSchema('Result of the check; unknown if only a call can decide it.', CHECK_RESULTS),
      },
      { detail: textSchema('Why.') },
    ),
  }),
})

const LINEAGE_OF_ENTRY = object({
  above: { type: 'array', items: ref('AuditEntry') },
  entry: ref('AuditEntry'),
  below: { type: 'array', items: ref('AuditEntry') },
})

const SHAPES = {
  token: ref('TokenResponse'),
  'token-claims': CLAIMS,
  'token-tree': object({ tokens: { type: 'array', items: ref('ListedToken') } }),
  'token-revocation': ref('Revocation'),
  outcome: OUTCOME,
  'outcome-line': { anyOf: [object({ progress: {}, timestamp: text }), LAST_LINE] },
  permissions: ref('Permissions'),
  checks: CHECKS,
  'approval-requests': ref('ApprovalRequests'),
  'approval-request': ref('ApprovalRequest'),
  'approval-grant': { anyOf: [ref('ApprovalGrant'), ref('PendingApproval')] },
  tokens: ref('TokenList'),
  'tokens-revocation': ref('TokensRevocation'),
  'grant-revocation': ref('GrantRevocation'),
  blocks: ref('BlockList'),
  connections: ref('ConnectionList'),
  connection: ref('Connection'),
  block: ref('Block'),
  'paused-capabilities': ref('PausedCapabilities'),
  'invocation-resolution': ref('InvocationResolution'),
  events: ref('EventList'),
  'event-resending': ref('EventResending'),
  'audit-page': ref('AuditPage'),
  'audit-entry': ref('AuditEntry'),
  'audit-lineage': LINEAGE_OF_ENTRY,
} as const satisfies { readonly [name: string]: JsonObject }

export type ServiceSchemaName = keyof typeof SHAPES

/** The shape of one of them. It is open: a newer service may say more. */
export function serviceAnswerShape(name: ServiceSchemaName): JsonObject {
  const shape = { anyOf: [SHAPES[name], object({ failure: ref('Failure') })] }
  return described({ ...shape, $defs: definitionsOf(shape) }) as JsonObject
}

/** The same with what each member means. */
function described(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(described)
  if (typeof schema !== 'object' || schema === null) return schema
  const members = Object.entries(schema as JsonObject).map(([name, value]) =>
    name === 'properties' ? [name, describedMembers(value as JsonObject)] : [name, described(value)],
  )
  return Object.fromEntries(members) as JsonObject
}

const describedMembers = (members: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => {
      const description = MEMBERS[name]
      const schema = described(value) as JsonObject
      return [name, description === undefined || 'description' in schema ? schema : { description, ...schema }]
    }),
  )

/** The schemas of the documents that a shape refers to, by whatever way. */
function definitionsOf(shape: JsonObject): JsonObject {
  const found: { [name: string]: JsonObject } = {}
  const follow = (value: JsonObject): void => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/\$defs\/(\w+)"/gu)) {
      if (Object.hasOwn(found, name!)) continue
      found[name!] = besideEachOther(PROTOCOL_SCHEMAS[name!]!)
      follow(found[name!]!)
    }
  }
  follow(shape)
  return Object.fromEntries(Object.entries(found).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const besideEachOther = (schema: JsonObject): JsonObject =>
  JSON.parse(JSON.stringify(schema), (key, value: Json) =>
    key === '$ref' && typeof value === 'string' ? value.replace(IN_DOCUMENTS, '#/$defs/') : value,
  ) as JsonObject
