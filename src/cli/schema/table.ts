import { DIAGNOSTICS_VERSION, OUTPUT_VERSION } from '../../compiler/report/printed-json.js'
import { RULES_VERSION } from '../../compiler/report/rule-page.js'
import type { JsonObject } from '../../protocol/manifest.js'

interface Published {
  /** What has the shape. */
  readonly of: string
  readonly shape: () => Promise<JsonObject>
  /** Where it is not that of all outputs. */
  readonly version?: number
}

/** The published schemas: name -> of what, and the shape. `svc schema` prints them, and `schemas/` holds them. */
export const SCHEMAS = {
  manifest: {
    of: 'svc.yaml',
    shape: async () => (await import('../../compiler/shape/json-schema.js')).manifestSchema(await meanings()),
  },
  fragment: {
    of: 'a file that svc.yaml includes',
    shape: async () => (await import('../../compiler/shape/json-schema.js')).fragmentSchema(await meanings()),
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
  'migration-run': { of: 'svc migrate up --json', shape: async () => (await import('./migrations.js')).MIGRATION_RUN },
  conformance: { of: 'svc conformance --json', shape: async () => (await import('./conformance.js')).CONFORMANCE },
} as const satisfies { readonly [name: string]: Published }

export type SchemaName = keyof typeof SCHEMAS
export const SCHEMA_NAMES = Object.keys(SCHEMAS) as readonly SchemaName[]

/** What editors show of fields and of their words. */
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
