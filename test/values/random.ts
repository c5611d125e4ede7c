import type { Json } from '../../src/protocol/manifest.js'
import type { ValueSchema } from '../../src/protocol/value-schema.js'

/** Whole numbers below a bound; the same seed gives the same (mulberry32). */
export type Random = (bound: number) => number

export function randomOf(seed: number): Random {
  let state = seed
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound)
  }
}

const pick = <Item>(random: Random, items: readonly Item[]): Item => items[random(items.length)]!

const WORDS = ['a', 'b', 'sku', 'ship_at', 'x-y', 'Ü'] as const
const SHARED_NAMES = ['Money', 'Tree', 'Code'] as const
export const SHARED: { readonly [name: string]: ValueSchema } = {
  Money: { type: 'object', properties: { currency: { enum: ['EUR', 'USD'] }, amount: { type: 'number', minimum: 0 } }, required: ['currency', 'amount'], additionalProperties: false },
  Tree: { type: 'object', properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/x-schemas/Tree' } } }, required: ['name'], additionalProperties: false },
  Code: { type: 'string', pattern: '^[A-Z]{3}$' },
} // prettier-ignore

type Make = (random: Random, depth: number) => ValueSchema

const text: Make = (random) =>
  pick<ValueSchema>(random, [
    { type: 'string' },
    { type: 'string', minLength: random(3) },
    { type: 'string', maxLength: 1 + random(4) },
    { type: 'string', pattern: pick(random, ['^[A-Z]{2}$', '^a+b?$', '\\d', '^(?:x|yz)*$', '^[^/\\s]{1,3}$']) },
    { type: 'string', format: pick(random, ['date', 'date-time', 'uuid', 'email'] as const) },
  ])
const number: Make = (random) =>
  pick<ValueSchema>(random, [
    { type: 'integer' },
    { type: 'integer', minimum: random(3) },
    { type: 'number', maximum: random(5) },
    { type: 'number', exclusiveMinimum: 0 },
    { type: 'integer', multipleOf: 1 + random(3) },
  ])
const list: Make = (random, depth) => ({
  type: 'array',
  ...(random(4) > 0 && { items: schemaOf(random, depth - 1) }),
  ...(random(3) === 0 && { minItems: 1 }),
  ...(random(3) === 0 && { maxItems: 2 }),
})
const object: Make = (random, depth) => {
  const names = WORDS.filter(() => random(2) === 0)
  const more = pick(random, [false, true, undefined, 'schema'] as const)
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, schemaOf(random, depth - 1)])),
    required: names.filter(() => random(2) === 0),
    ...(more !== undefined && { additionalProperties: more === 'schema' ? schemaOf(random, depth - 1) : more }),
  }
}
const choice: Make = (random, depth) => ({
  [pick(random, ['anyOf', 'oneOf'])]: [
    text(random, 0),
    pick(random, [list, object])(random, depth - 1),
    { type: 'null' },
  ],
})
/** Objects that a member tells apart. */
const tagged: Make = (random, depth) => ({
  [pick(random, ['anyOf', 'oneOf'])]: ['card', 'bank'].map((tag) => {
    const { properties = {}, required = [], ...rest } = object(random, depth)
    return { ...rest, properties: { ...properties, kind: { const: tag } }, required: ['kind', ...required] }
  }),
})
const LEAVES: readonly Make[] = [
  text,
  number,
  () => ({ type: 'boolean' }),
  (random) => ({
    enum: pick(random, [
      ['a', 'b'],
      [1, 2, null],
      [true, 'x'],
    ]),
  }),
  (random) => ({ const: pick(random, ['a', 7, false, null]) }),
  (random) => ({ type: [pick(random, ['string', 'integer', 'boolean'] as const), 'null'] }),
  (random) => ({ $ref: `#/x-schemas/${pick(random, SHARED_NAMES)}` }),
]

export const schemaOf: Make = (random, depth) =>
  pick(random, depth > 0 ? [...LEAVES, list, object, object, choice, tagged] : LEAVES)(random, depth)

const SCALARS: readonly Json[] = ['a', 'AB', 'EUR', '', 'x1', '2026-02-28', '2026-02-28T09:30:00Z', '6f2c1a52-9f0b-4c1e-8f5d-2a7f0f0a9b3c', 'ana@example.com', 0, 1, 2, 6, -1, 1.5, true, false, null] // prettier-ignore

/** Any value at all. */
export const valueOf = (random: Random, depth = 2): Json => {
  const kind = depth === 0 ? 0 : random(5)
  if (kind === 3) return Array.from({ length: random(3) }, () => valueOf(random, depth - 1))
  if (kind === 4) return Object.fromEntries(WORDS.filter(() => random(3) === 0).map((name) => [name, valueOf(random, depth - 1)])) // prettier-ignore
  return pick(random, SCALARS)
}

/** A value that has a chance to fit. */
export function likelyValue(random: Random, schema: ValueSchema, depth = 6): Json {
  if (depth === 0 || random(25) === 0) return valueOf(random, 1)
  if (schema.$ref !== undefined)
    return likelyValue(random, SHARED[schema.$ref.slice('#/x-schemas/'.length)]!, depth - 2)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return pick(random, schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return likelyValue(random, pick(random, choices), depth - 1)
  const type = pick(random, [schema.type ?? 'null'].flat())
  if (type === 'array')
    return Array.from({ length: random(3) }, () => likelyValue(random, schema.items ?? {}, depth - 1))
  if (type === 'object') return likelyObject(random, schema, depth)
  const holds: (value: Json) => boolean = (value) => type === 'null' ? value === null : type === 'integer' ? Number.isInteger(value) : typeof value === type // prettier-ignore
  return pick(random, SCALARS.filter(holds))
}

function likelyObject(random: Random, { properties = {}, required = [], additionalProperties = true }: ValueSchema, depth: number) {
  const names = Object.keys(properties).filter((name) => (required.includes(name) ? random(12) > 0 : random(2) === 0))
  const members = names.map((name) => [name, likelyValue(random, properties[name]!, depth - 1)] as const)
  if (random(4) > 0) return Object.fromEntries(members)
  const more = typeof additionalProperties === 'object' ? likelyValue(random, additionalProperties, depth - 1) : 'more'
  return Object.fromEntries([...members, ['further', more]])
} // prettier-ignore
