import { DIAGNOSTICS_VERSION, OUTPUT_VERSION } from '../../compiler/report/printed-json.js'
import { RULES_VERSION } from '../../compiler/report/rule-page.js'
import type { JsonObject } from '../../protocol/manifest.js'
import type { ServiceSchemaName } from './service.js'

interface Published {
  /** Output that has the shape. */
  readonly of: string
  readonly shape: () => Promise<JsonObject>
  /** Version, if it differs from that of all outputs. */
  readonly version?: number
}

/** Schema of a command that calls a running service. */
const ofService = (name: ServiceSchemaName, of: string): Published => ({
  of,
  shape: async () => (await import('./service.js')).serviceAnswerShape(name),
})

/** The published schemas: name -> of what, and the shape. `svc schema` prints them, and `schemas/` holds them. */
export const SCHEMAS = {
  manifest: {
    of: 'svc.yaml',
    shape: async () => (await tables()).manifestSchema(await parts(), await meanings()),
  },
  fragment: {
    of: 'a file that svc.yaml includes',
    shape: async () => (await tables()).fragmentSchema(await parts(), await meanings()),
  },
  diagnostics: {
    of: 'svc validate --json',
    shape: async () => (await import('../../compiler/report/diagnostics-schema.js')).DIAGNOSTICS,
    version: DIAGNOSTICS_VERSION,
  },
  rules: {
    of: 'svc rules --json',
    shape: async () => (await import('./rules.js')).RULES_SHAPE,
    version: RULES_VERSION,
  },
  rule: {
    of: 'svc explain --json',
    shape: async () => (await import('./rules.js')).RULE,
    version: RULES_VERSION,
  },
  changes: { of: 'svc diff --json', shape: async () => (await import('./changes.js')).DIFF_SHAPE },
  build: { of: 'svc build --json', shape: async () => (await import('./build.js')).BUILD },
  verdict: {
    of: 'svc verify --json, svc audit verify --json',
    shape: async () => (await import('./verdict.js')).VERDICT,
  },
  keys: { of: 'svc keys list --json', shape: async () => (await import('./keys.js')).KEYS },
  jwks: { of: 'svc keys list --jwks', shape: async () => (await import('./keys.js')).JWKS },
  'signing-key': { of: 'svc keys generate --print', shape: async () => (await import('./keys.js')).SIGNING_KEY },
  'migration-status': {
    of: 'svc migrate status --json',
    shape: async () => (await import('./migrations.js')).MIGRATION_STATUS,
  },
  'database-clock': {
    of: 'svc migrate clock --json',
    shape: async () => (await import('./migrations.js')).DATABASE_CLOCK,
  },
  'migration-run': { of: 'svc migrate up --json', shape: async () => (await import('./migrations.js')).MIGRATION_RUN },
  conformance: { of: 'svc conformance --json', shape: async () => (await import('./conformance.js')).CONFORMANCE },
  token: ofService('token', 'svc token issue --json, svc token delegate --json'),
  'token-claims': ofService('token-claims', 'svc token inspect'),
  'token-tree': ofService('token-tree', 'svc token tree --json'),
  'token-revocation': ofService('token-revocation', 'svc token revoke --json'),
  outcome: ofService('outcome', 'svc call --json'),
  'outcome-line': ofService('outcome-line', 'svc call --stream --json'),
  permissions: ofService('permissions', 'svc permissions --json'),
  checks: ofService('checks', 'svc why --json'),
  'approval-requests': ofService('approval-requests', 'svc approvals list --json'),
  'approval-request': ofService(
    'approval-request',
    ['show', 'deny', 'send-back', 'withdraw', 'watch'].map((name) => `svc approvals ${name} --json`).join(', '),
  ),
  'approval-grant': ofService('approval-grant', 'svc approvals approve --json'),
  tokens: ofService('tokens', 'svc operate tokens --json'),
  'tokens-revocation': ofService('tokens-revocation', 'svc operate end --json'),
  'grant-revocation': ofService('grant-revocation', 'svc operate revoke-grant --json'),
  connections: ofService('connections', 'svc connections list --json'),
  connection: ofService('connection', 'svc connections connect --json, svc connections disconnect --json'),
  blocks: ofService('blocks', 'svc operate blocks --json'),
  block: ofService('block', 'svc operate lift --json'),
  'paused-capabilities': ofService(
    'paused-capabilities',
    'svc operate paused --json, svc operate pause --json, svc operate resume --json',
  ),
  'invocation-resolution': ofService('invocation-resolution', 'svc invocations resolve --json'),
  events: ofService('events', 'svc events list --json'),
  'event-resending': ofService('event-resending', 'svc events resend --json'),
  'audit-page': ofService('audit-page', 'svc audit list --json'),
  'audit-entry': ofService('audit-entry', 'svc audit show --json, svc audit tail --json'),
  'audit-lineage': ofService('audit-lineage', 'svc audit show --lineage --json'),
} as const satisfies { readonly [name: string]: Published }

export type SchemaName = keyof typeof SCHEMAS
export const SCHEMA_NAMES = Object.keys(SCHEMAS) as readonly SchemaName[]

const tables = () => import('../../compiler/shape/json-schema.js')
const parts = async () => (await import('../../compiler/rules/schema-parts.js')).SCHEMA_PARTS

/** Loads the descriptions of fields and words that editors show. */
const meanings = async () => (await import('../../compiler/report/fields/texts.js')).fieldText

/** A schema as it is published. Those of what people write are of draft 7, which editors read, and name themselves. */
export async function publishedSchemaOf(name: SchemaName): Promise<JsonObject> {
  const { of, shape, version = OUTPUT_VERSION }: Published = SCHEMAS[name]
  if (name === 'manifest' || name === 'fragment') return shape()
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:svc-kit:schema:${name}:${version}`,
    title: of,
    ...(await shape()),
  }
}
