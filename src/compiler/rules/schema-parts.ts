import type { JsonObject } from '../../protocol/manifest.js'
import type { SchemaParts } from '../shape/json-schema.js'
import { VALUE_SCHEMA_DEFINITION } from './facts/schemas/keyword-schema.js'
import { RULES } from './index.js'

/** Parts of the rules in the published schema: by the title of a shape, each with its rule. */
export const SCHEMA_PARTS: SchemaParts = {
  of: (title) => PARTS.get(title) ?? [],
  definitions: { value_schema: VALUE_SCHEMA_DEFINITION },
}

const PARTS: ReadonlyMap<string, readonly JsonObject[]> = partsByTitle()

function partsByTitle(): ReadonlyMap<string, readonly JsonObject[]> {
  const parts = new Map<string, JsonObject[]>()
  for (const { code, description, schema } of RULES)
    for (const [title, part] of Object.entries(schema === undefined || schema === 'table' ? {} : schema))
      parts.set(title, [...(parts.get(title) ?? []), { $comment: `${code}: ${description}`, ...part }])
  return parts
}
