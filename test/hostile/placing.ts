import { readFileSync } from 'node:fs'
import type { Json } from '../../src/protocol/manifest.js'

/** One case of the corpus. */
export interface Case {
  readonly id: string
  readonly category: string
  readonly field: string
  readonly value: Json
  /** One of `EXPECTATIONS`; of any other, and of none, nothing is expected but that nobody is harmed. */
  readonly expect: string
}

export const EXPECTATIONS: readonly string[] = ['reject', 'escape', 'compile', 'reject-or-safe']

type Member = { [name: string]: unknown }

/** A sound manifest, before something is put into it. */
const sound = (): Member => ({
  manifest_metadata: { version: '0.24.0' },
  service_identity: { id: 'hostile' },
  trust: { level: 'signed' },
  capabilities: {
    look_up: {
      description: 'Look a thing up, and return what is known of it.',
      contract_version: '1.0.0',
      side_effect: { type: 'read' },
      minimum_scope: ['things.read'],
      inputs: [{ name: 'thing', type: 'string', description: 'The thing that is meant.' }],
      output: { type: 'thing', fields: ['known'] },
    },
    change: {
      description: 'Change a thing, and return what became of it.',
      contract_version: '1.0.0',
      side_effect: { type: 'transactional', rollback_window: 'PT1H', compensation: 'undo' },
      minimum_scope: ['things.write'],
      inputs: [{ name: 'thing', type: 'string', description: 'The thing that is meant.' }],
      output: { type: 'thing', fields: ['known'] },
      cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 1 } },
      requires: [{ capability: 'look_up', reason: 'Look before you leap.' }],
      approval: {
        required: 'always',
        grant_policy: {
          allowed_grant_types: ['one_time'],
          default_grant_type: 'one_time',
          expires_in_seconds: 60,
          max_uses: 1,
        },
      },
      observability: { logged: true, retention: 'P1D', fields_logged: [] },
    },
    undo: {
      description: 'Take a change of a thing back, and return what became of it.',
      contract_version: '1.0.0',
      side_effect: { type: 'write' },
      minimum_scope: ['things.write'],
      inputs: [{ name: 'thing', type: 'string', description: 'The thing that was changed.' }],
      output: { type: 'thing', fields: ['known'] },
    },
    combine: {
      description: 'Look a thing up in two steps, and return what is known.',
      contract_version: '1.0.0',
      kind: 'composed',
      side_effect: { type: 'read' },
      minimum_scope: ['things.read'],
      inputs: [{ name: 'thing', type: 'string', description: 'The thing that is meant.' }],
      output: { type: 'thing', fields: ['known'] },
      composition: {
        authority_boundary: 'same_service',
        steps: [{ id: 'first', capability: 'look_up' }],
        input_mapping: { first: { thing: '$.input.thing' } },
        output_mapping: { known: '$.steps.first.output.known' },
        failure_policy: 'propagate',
        audit_policy: { record_child_invocations: true, parent_task_lineage: true },
      },
    },
  },
})

const at = (root: unknown, ...path: readonly (string | number)[]): Member =>
  path.reduce<unknown>((value, step) => (value as Member)[step], root) as Member

/** Sets a member, whatever its name: assigning `__proto__` would set a prototype. */
const put = (target: Member, name: string, value: unknown): void => {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
}

const rename = (target: Member, from: string, to: string): void => {
  const value = target[from]
  delete target[from]
  put(target, to, value)
}

const text = (value: Json): string => (typeof value === 'string' ? value : repeated(value))

/** `{"repeat": ["y", 2000000]}` stands for a long text. */
function repeated(value: Json): string {
  if (typeof value !== 'object' || value === null || !('repeat' in value)) return String(value)
  const [unit, times] = value['repeat'] as unknown as readonly [string, number]
  return unit.repeat(times)
}

const shown = (value: Json): Json =>
  typeof value === 'object' && value !== null && 'repeat' in value ? repeated(value) : value

const input = { name: 'extra', type: 'string', required: false, description: 'One more input of the call.' }

type Place = (manifest: Member, value: Json) => void

const ofInput =
  (member: string): Place =>
  (manifest, value) =>
    put(at(manifest, 'capabilities', 'look_up', 'inputs', 0), member, shown(value))
const ofChange =
  (...path: readonly (string | number)[]): Place =>
  (manifest, value) =>
    put(at(manifest, 'capabilities', 'change', ...path.slice(0, -1)), String(path.at(-1)), shown(value))

/** Field of the corpus -> how its value is put there. */
const PLACES: { readonly [field: string]: Place } = {
  'capability.name': (manifest, value) => rename(at(manifest, 'capabilities'), 'combine', text(value)),
  'capability.description': (manifest, value) =>
    put(at(manifest, 'capabilities', 'look_up'), 'description', shown(value)),
  description: (manifest, value) => put(at(manifest, 'capabilities', 'look_up'), 'description', shown(value)),
  'input.name': (manifest, value) =>
    void (at(manifest, 'capabilities', 'look_up')['inputs'] as unknown[]).push({ ...input, name: value }),
  'input.description': ofInput('description'),
  'input.pattern': ofInput('pattern'),
  'input.allowed_values': ofInput('allowed_values'),
  'allowed_values[]': (manifest, value) =>
    put(at(manifest, 'capabilities', 'look_up', 'inputs', 0), 'allowed_values', [shown(value)]),
  default: (manifest, value) => {
    const type =
      typeof value === 'string' || 'repeat' in (value as object) ? 'string' : Array.isArray(value) ? 'array' : 'object'
    ;(at(manifest, 'capabilities', 'look_up')['inputs'] as unknown[]).push({ ...input, type, default: shown(value) })
  },
  'output.field': (manifest, value) =>
    put(at(manifest, 'capabilities', 'look_up', 'output'), 'fields', ['known', value]),
  'requires.reason': ofChange('requires', 0, 'reason'),
  'step.id': (manifest, value) => {
    const composition = at(manifest, 'capabilities', 'combine', 'composition')
    put(at(composition, 'steps', 0), 'id', value)
    rename(at(composition, 'input_mapping'), 'first', text(value))
    put(at(composition, 'output_mapping'), 'known', `$.steps.${text(value)}.output.known`)
  },
  'step.capability': (manifest, value) =>
    put(
      at(manifest, 'capabilities', 'combine', 'composition', 'steps', 0),
      'capability',
      value === 'self' ? 'combine' : value,
    ),
  'mapping.key': (manifest, value) =>
    put(
      at(manifest, 'capabilities', 'combine', 'composition', 'output_mapping'),
      text(value),
      '$.steps.first.output.known',
    ),
  authority_boundary: (manifest, value) =>
    put(at(manifest, 'capabilities', 'combine', 'composition'), 'authority_boundary', value),
  catalog_ref: ofInput('catalog_ref'),
  resolver_ref: (manifest, value) =>
    put(at(manifest, 'capabilities', 'look_up', 'inputs', 0), 'resolution', {
      mode: 'backend_resolved',
      resolver_ref: value,
    }),
  scope: (manifest, value) => put(at(manifest, 'capabilities', 'look_up'), 'minimum_scope', [value]),
  currency: ofChange('cost', 'financial', 'currency'),
  'cost.amount': ofChange('cost', 'financial', 'amount'),
  'grant_policy.max_uses': ofChange('approval', 'grant_policy', 'max_uses'),
  'grant_policy.expires_in_seconds': ofChange('approval', 'grant_policy', 'expires_in_seconds'),
  'observability.retention': ofChange('observability', 'retention'),
  rollback_window: ofChange('side_effect', 'rollback_window'),
  compensation: ofChange('side_effect', 'compensation'),
  contract_version: ofChange('contract_version'),
  'handler.path': ofChange('handler'),
  jwks_uri: (manifest, value) => put(at(manifest, 'service_identity'), 'jwks_uri', value),
  'capabilities.count': (manifest, value) => {
    const capabilities = at(manifest, 'capabilities')
    for (let number = 0; number < Number(value); number++) put(capabilities, `copy_${number}`, capabilities['look_up'])
  },
  'steps.count': (manifest, value) => {
    const steps = Array.from({ length: Number(value) }, (_, number) => ({ id: `s${number}`, capability: 'look_up' }))
    put(at(manifest, 'capabilities', 'combine', 'composition'), 'steps', [
      { id: 'first', capability: 'look_up' },
      ...steps,
    ])
  },
  'nesting.depth': (manifest, value) => put(manifest, 'x-deep', nested(Number(value))),
}

/** Where the published schema has a field of that name: the first place, and in lists and maps their first member. */
function placeBySchema(field: string): Place | undefined {
  const names = field.replace(/\[\]$/u, '').split('.')
  const path = pathsOf(names.at(-1)!).find((each) => names.every((name) => each.includes(name)))
  if (path === undefined) return undefined
  const isElement = field.endsWith('[]')
  return (manifest, value) => putAt(manifest, path, isElement ? [shown(value)] : shown(value))
}

type Schema = { readonly [keyword: string]: unknown }
const SCHEMA = JSON.parse(readFileSync('schemas/manifest.schema.json', 'utf8')) as Schema

/** The shortest ways to a property of a name; `*` is any member. */
function pathsOf(name: string): readonly (readonly string[])[] {
  const found: (readonly string[])[] = []
  let level: readonly (readonly [Schema, readonly string[]])[] = [[SCHEMA, []]]
  for (let depth = 0; depth < 8; depth++) {
    level = level.flatMap(([schema, path]) => inside(schema).map(([key, inner]) => [inner, [...path, key]] as const))
    found.push(...level.filter(([, path]) => path.at(-1) === name).map(([, path]) => path))
  }
  return found
}

/** What a schema says of its members: by name, and of all others and of elements as `*`. */
function inside(given: Schema): readonly (readonly [string, Schema])[] {
  const { properties = {}, additionalProperties: others, items, anyOf = [], oneOf = [], allOf = [] } = resolved(given)
  const named = Object.entries(properties as { readonly [name: string]: Schema })
  const rest = [others, items].filter((each): each is Schema => typeof each === 'object' && each !== null)
  const choices = [anyOf, oneOf, allOf].flat() as readonly Schema[]
  return [...named, ...rest.map((each) => ['*', each] as const), ...choices.flatMap(inside)]
}

const resolved = (schema: Schema): Schema =>
  typeof schema['$ref'] === 'string' ? resolved(at(SCHEMA, ...schema['$ref'].slice(2).split('/'))) : schema

/** Puts a value there, making what is not there on the way. */
function putAt(target: Member, [key = '', ...rest]: readonly string[], value: unknown): void {
  const first =
    key === '*'
      ? Array.isArray(target)
        ? 0
        : Object.keys(target).includes('change')
          ? 'change'
          : (Object.keys(target)[0] ?? 'x')
      : key
  if (rest.length === 0) return put(target, String(first), value)
  if (!Object.hasOwn(target, first)) put(target, String(first), rest[0] === '*' ? [{}] : {})
  const next = target[first]
  if (typeof next === 'object' && next !== null) putAt(next as Member, rest, value)
}

/** Nested lists as JSON text would be; `JSON.stringify` cannot go so deep. */
class Nested {
  readonly depth: number
  constructor(depth: number) {
    this.depth = depth
  }
}
const nested = (depth: number): Nested => new Nested(depth)

/** The manifest of a case as text. JSON is YAML. Undefined for a field that is not known here. */
export function manifestText({ field, value }: Case): string | undefined {
  const place = Object.hasOwn(PLACES, field) ? PLACES[field] : placeBySchema(field)
  if (place === undefined) return undefined
  const manifest = sound()
  place(manifest, value)
  const deep = manifest['x-deep']
  if (!(deep instanceof Nested)) return JSON.stringify(manifest)
  return JSON.stringify({ ...manifest, 'x-deep': 0 }).replace(
    '"x-deep":0',
    () => `"x-deep":${'['.repeat(deep.depth)}${']'.repeat(deep.depth)}`,
  )
}

/** The value as it should come back. */
export const expectedValue = ({ value }: Case): Json => shown(value)
