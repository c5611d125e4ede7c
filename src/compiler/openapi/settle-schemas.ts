import type { Json, JsonObject } from '../../protocol/manifest.js'
import { mapSchema, referredName, type ValueSchema } from '../../protocol/value-schema.js'
import { applyRules } from '../rules/apply-rules.js'
import { VALUES_RULES } from '../rules/values/index.js'
import { readFiles } from '../shape/read-files.js'
import { NOTES, notesAt, type NoteText } from './notes.js'
import type { ApiFinding } from './library.js'
import type { ImportedType } from './schemas.js'
import type { Importing } from './structures.js'

export interface SettledSchemas {
  /** `x-schemas`: those that a field leads to. */
  readonly schemas: JsonObject
  /** The fields that are otherwise than they were. */
  readonly fields: ReadonlyMap<ImportedType, ImportedType>
  readonly notes: readonly NoteText[]
}

/** Returns why values cannot be imported: the faults of the schemas that they refer to, at any depth. */
export function faultsBehind({ structures }: Importing, given: readonly ImportedType[]): readonly ApiFinding[] {
  const { shared, faults } = structures
  if (faults.size === 0) return []
  const fields = given.flatMap(({ schema }) => (schema === undefined ? [] : [schema]))
  return [...behind(fields, (name) => shared.get(name))].flatMap((name) => faults.get(name) ?? [])
}

/** The schemas as `svc validate` takes them; of what it would refuse, only the type is left, and a note says so. */
export function settledSchemas(importing: Importing, given: readonly ImportedType[]): SettledSchemas {
  const { shared, lost } = importing.structures
  const isLess = lessThan(shared, new Set(lost.keys()))
  const work: Work = {
    fields: given.filter(({ schema }) => schema !== undefined).map((flat) => ({ flat, now: withoutOneOf(flat.schema!, isLess), why: [], default: flat.default })),
    shared: new Map([...shared].map(([name, schema]) => [name, { now: withoutOneOf(schema, isLess), why: lost.get(name) ?? [], default: undefined }])),
  } // prettier-ignore
  for (let round = 0; round < ROUNDS && refused(work); round++);
  return resultOf(work)
}

interface Judged {
  now: JsonObject | undefined
  why: readonly NoteText[]
  default: Json | undefined
}

interface Work {
  readonly fields: readonly (Judged & { readonly flat: ImportedType })[]
  readonly shared: ReadonlyMap<string, Judged>
}

const ROUNDS = 12

/**
 * Refuses schemas and removes them. Each schema is a line, so that a finding leads to its schema. Returns whether any
 * were removed.
 */
function refused({ fields, shared }: Work): boolean {
  const lines = [
    "manifest_metadata: { version: '0.24.0' }",
    'service_identity: { id: judged }',
    'trust: { level: signed }',
  ]
  const at = new Map<number, Judged>()
  const line = (start: string, judged: Judged, value: object): void => {
    lines.push(start + JSON.stringify(value))
    at.set(lines.length, judged)
  }
  lines.push('x-schemas:', '  Nothing: {}')
  for (const [name, judged] of shared) line(`  ${name}: `, judged, judged.now ?? {})
  lines.push('capabilities:', '  judged:', '    inputs:')
  for (const [index, judged] of fields.entries()) {
    const { type, allowed } = judged.flat
    const values = allowed.length === 0 ? {} : { allowed_values: allowed }
    const given = judged.default === undefined ? {} : { required: false, default: judged.default }
    if (judged.now !== undefined)
      line('      - ', judged, { name: `f${index}`, type, ...given, ...values, 'x-schema': judged.now })
  }
  const read = readFiles([{ file: 'judged', text: `${lines.join('\n')}\n` }])
  const found = applyRules(VALUES_RULES, read, {}).flatMap(({ span, message }) => {
    const judged = at.get(read.placed.place(span).range.start.line)
    return judged === undefined ? [] : [{ judged, message }]
  })
  for (const { judged, message } of found) lessen(judged, message)
  return found.length > 0
}

/** First without its default, then without its choices, then without all. */
function lessen(judged: Judged, message: string): void {
  const refused = NOTES.refused.says(message)
  if (judged.why.at(-1) === refused) return
  if (judged.default !== undefined) {
    judged.default = undefined
    judged.why = [...judged.why, NOTES.default.says('a default that does not fit')]
    return
  }
  judged.why = [...judged.why, refused]
  const hasChoice = JSON.stringify(judged.now ?? {}).match(/"(?:anyOf|oneOf)":/u) !== null
  judged.now = hasChoice ? withoutChoices(judged.now!) : undefined
}

const changed = (schema: JsonObject, change: (each: ValueSchema) => ValueSchema): JsonObject =>
  mapSchema(schema as unknown as ValueSchema, change) as unknown as JsonObject

const withoutChoices = (schema: JsonObject): JsonObject =>
  changed(schema, (each) => {
    const { anyOf: _, oneOf: _too, ...rest } = each
    return rest
  })

/** `oneOf` of what lacks a keyword could refuse what the description allows. */
const withoutOneOf = (schema: JsonObject, isLess: (schema: ValueSchema) => boolean): JsonObject =>
  changed(schema, (each) => {
    if (each.oneOf === undefined || !each.oneOf.some(isLess)) return each
    const { oneOf, ...rest } = each
    return { ...rest, anyOf: oneOf }
  })

const referencesOf = (schema: ValueSchema): readonly string[] => {
  const found: string[] = []
  mapSchema(schema, (each) => (each.$ref === undefined ? each : (found.push(referredName(each.$ref)), each)))
  return found
}

/** Returns a test for schemas that refer, directly or indirectly, to one that lacks a keyword. */
function lessThan(shared: ReadonlyMap<string, JsonObject>, less: Set<string>): (schema: ValueSchema) => boolean {
  const references = new Map(
    [...shared].map(([name, schema]) => [name, referencesOf(schema as unknown as ValueSchema)]),
  )
  for (let grows = true; grows;) {
    const before = less.size
    for (const [name, others] of references) if (others.some((other) => less.has(other))) less.add(name)
    grows = less.size > before
  }
  return (schema) => referencesOf(schema).some((name) => less.has(name))
}

/** Names of the shared schemas that others lead to. */
function behind(schemas: readonly JsonObject[], sharedAt: (name: string) => JsonObject | undefined): Set<string> {
  const found = new Set<string>()
  const open = schemas.flatMap((schema) => referencesOf(schema as unknown as ValueSchema))
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue
    found.add(name)
    open.push(...referencesOf((sharedAt(name) ?? {}) as unknown as ValueSchema))
  }
  return found
}

function resultOf({ fields, shared }: Work): SettledSchemas {
  const schemas = fields.flatMap(({ now }) => (now === undefined ? [] : [now]))
  const names = [...behind(schemas, (name) => shared.get(name)?.now)].toSorted()
  return {
    schemas: Object.fromEntries(names.map((name): [string, Json] => [name, shared.get(name)!.now ?? {}])),
    fields: new Map(
      fields.map((each) => [
        each.flat,
        { ...each.flat, default: each.default, schema: each.now, notCarried: [...each.flat.notCarried, ...each.why] },
      ]),
    ),
    notes: names.flatMap((name) => notesAt(name, shared.get(name)!.why)),
  }
}
