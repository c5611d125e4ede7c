/** Schemas that hold at once, as one: what each keyword becomes where several say it. */
import { expect, it } from 'vitest'
import { flattened } from '../../../src/compiler/openapi/flatten.js'
import type { ApiDocument } from '../../../src/compiler/openapi/library.js'
import type { Description } from '../../../src/compiler/openapi/references.js'
import type { Json } from '../../../src/protocol/manifest.js'

/** What is not empty of a schema, with how many schemas hold for each member. */
function flat(schema: unknown) {
  const root: ApiDocument = { file: 'api.json', text: '{}', value: { schema: schema as Json } }
  const description: Description = { root, documents: new Map(), wanted: new Set(), target: () => ({ why: 'No.' }), findings: [] } // prettier-ignore
  const made = flattened(description, [{ document: root, pointer: '/schema', value: schema as Json }])
  const { keywords, properties, required, items, more, choices, nullable, title, lost } = made
  const beside = {
    properties: Object.fromEntries([...properties].map(([name, places]) => [name, places.length])),
    required: [...required],
    items: items.length,
    more: more.length,
    choices: choices.map(({ word, branches }) => `${word} ${branches.length}`),
    nullable,
    title,
    lost,
    findings: description.findings.map(({ message }) => message),
  }
  const isSaid = (value: unknown): boolean =>
    typeof value === 'object' ? Object.keys(value!).length > 0 : Boolean(value)
  return { ...keywords, ...Object.fromEntries(Object.entries(beside).filter(([, value]) => isSaid(value))) }
}
const every = (...allOf: readonly unknown[]) => ({ allOf })
const ref = { $ref: '#/schema/$defs/A' }
const deep = (levels: number): object => (levels === 0 ? { type: 'string' } : every(deep(levels - 1)))

it.each<[string, unknown, object]>([
  ['one type', { type: 'string' }, { type: ['string'] }],
  ['a type or null', { type: ['string', 'null'] }, { type: ['string'], nullable: true }],
  ['what two lists of types share', every({ type: ['integer', 'string'] }, { type: ['string', 'boolean'] }), { type: ['string'] }],
  ['an integer where the other is any number', every({ type: ['integer', 'string'] }, { type: 'number' }), { type: ['integer'] }],
  ['the last of types that share nothing', every({ type: 'string' }, { type: 'object' }), { type: ['object'] }],
  ['values, each once', { enum: ['a', 'b', 'a', null] }, { enum: ['a', 'b'], nullable: true }],
  ['the values that two lists share', every({ enum: ['a', 'b', 'c'] }, { enum: ['d', 'c', 'b'] }), { enum: ['b', 'c'] }],
  ['a constant among values', every({ enum: [1, 2] }, { const: 2 }), { enum: [2] }],
  ['null alone', { const: null }, { nullable: true }],
  ['no structures among values', { enum: [{ a: 1 }] }, { lost: ['enum of structures'] }],
  ['a flag that excludes its bound', { minimum: 3, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false }, { exclusiveMinimum: 3, maximum: 9 }],
  ['a bound that excludes itself', { exclusiveMinimum: 3, exclusiveMaximum: 9 }, { exclusiveMinimum: 3, exclusiveMaximum: 9 }],
  ['no flag without its bound', { exclusiveMinimum: true }, {}],
  ['the stricter of two bounds', every({ minimum: 1, maxLength: 9, minProperties: 2, maxItems: 4 }, { minimum: 2, maxLength: 5, minProperties: 1, maxItems: 6 }), { minimum: 2, maxLength: 5, minProperties: 2, maxItems: 4 }],
  ['the last of two steps', every({ multipleOf: 2 }, { multipleOf: 3 }), { multipleOf: 3, lost: ['multipleOf'] }],
  ['each schema of a member', every({ properties: { a: {}, b: {} } }, { properties: { a: { type: 'string' } } }), { properties: { a: 2, b: 1 } }],
  ['the names that any part requires', every({ required: ['a'] }, { required: ['b', 'a', 3] }), { required: ['a', 'b'] }],
  ['the schemas of items, and of further members', every({ items: {} }, { items: { type: 'string' } }, { additionalProperties: { type: 'string' } }), { items: 2, more: 1 }],
  ['no further members', { additionalProperties: false }, { additionalProperties: false }],
  ['any further members', every({ additionalProperties: true }, { additionalProperties: {} }), {}],
  ['no items by position', { items: [{ type: 'string' }] }, { lost: ['items by position'] }],
  ['the title that stands outermost', { ...every({ title: 'Inner' }), title: 'Outer' }, { title: 'Outer' }],
  ['null, as no choice of its own', { oneOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] }, { choices: ['oneOf 2'], nullable: true }],
  ['a single choice, as none', { anyOf: [{ type: 'string' }, { const: null }] }, { type: ['string'], nullable: true }],
  ['nothing of extensions and annotations', { 'x-a': 1, example: 'b', not: {} }, { lost: ['not'] }],
  ['a schema that nothing fits', false, { lost: ['false'] }],
  ['a schema that is referred to twice, once', { ...every(ref, ref), $defs: { A: { items: {} } } }, { items: 1 }],
  ['what stands beside a reference', { ...every({ ...ref, minLength: 2, description: 'B' }), $defs: { A: { type: 'string' } } }, { type: ['string'], minLength: 2, description: 'B' }],
  ['no circle', { ...every(ref), $defs: { A: every(ref) } }, { findings: ['`allOf` leads back to the schema that it is in.'] }],
  ['sixty-four parts within each other', deep(64), { type: ['string'] }],
  ['no sixty-five', deep(65), { lost: ['allOf that is nested too deep'] }],
])('takes %s', (_, schema, made) => {
  expect(flat(schema)).toEqual(made)
}) // prettier-ignore
