/** A schema as it holds for a type word, and as it is published. */
import { expect, it } from 'vitest'
import { narrowed, publishedSchema, type ValueSchema } from '../../src/protocol/value-schema.js'

it.each<[string, string, ValueSchema, object]>([
  ['a type', 'number', { type: 'integer' }, { type: 'integer' }],
  ['a reference', 'object', { $ref: '#/x-schemas/Room' }, { $ref: '#/x-schemas/Room' }],
  ['choices', 'number', { anyOf: [{ type: 'integer' }] }, { anyOf: [{ type: 'integer' }] }],
  ['choices of which one holds', 'number', { oneOf: [{ type: 'integer' }] }, { oneOf: [{ type: 'integer' }] }],
  ['values', 'string', { enum: ['a', 'b'] }, { enum: ['a', 'b'] }],
  ['one value', 'string', { const: 'a' }, { const: 'a' }],
  ['bounds', 'number', { minimum: 3 }, { type: 'number', minimum: 3 }],
  ['items', 'array', { items: { type: 'string' } }, { type: 'array', items: { type: 'string' } }],
  ['members', 'object', { required: ['a'] }, { type: 'object', required: ['a'] }],
  ['the pattern of a domain type', 'airport_code', { pattern: '^[A-Z]+$' }, { type: 'string', pattern: '^[A-Z]+$' }],
  ['the pattern of any value', 'any', { pattern: '^[A-Z]+$' }, { pattern: '^[A-Z]+$' }],
])('a schema with %s, for the type %s', (_, word, schema, expected) => {
  expect(narrowed(schema, word)).toEqual(expected)
})

const [minimum, maximum] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
const whole = { type: 'integer', minimum, maximum }

it.each<[ValueSchema, object]>([
  [{ type: 'integer' }, whole],
  [
    { type: 'integer', minimum: 1 },
    { ...whole, minimum: 1 },
  ],
  [
    { type: 'integer', maximum: 9 },
    { ...whole, maximum: 9 },
  ],
  [{ type: ['integer', 'null'] }, { ...whole, type: ['integer', 'null'] }],
  [{ type: ['integer', 'number'] }, { type: ['integer', 'number'] }],
  [{ type: 'number' }, { type: 'number' }],
  [
    { type: 'integer', enum: [1, 2] },
    { type: 'integer', enum: [1, 2] },
  ],
  [{ minimum: 1 }, { minimum: 1 }],
  [{ $ref: '#/x-schemas/Room' }, { $ref: '#/made/Room' }],
  [{ $ref: '#/$defs/Room' }, { $ref: '#/$defs/Room' }],
  [{ properties: { a: { type: 'integer' } } }, { properties: { a: whole } }],
  [{ items: { type: 'integer' } }, { items: whole }],
  [{ additionalProperties: { type: 'integer' } }, { additionalProperties: whole }],
  [{ additionalProperties: false }, { additionalProperties: false }],
  [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, { anyOf: [{ type: 'string' }, whole] }],
  [{ oneOf: [{ type: 'string' }, { type: 'integer' }] }, { oneOf: [{ type: 'string' }, whole] }],
])('%j is published as %j', (schema, published) => {
  expect(publishedSchema(schema, (name) => `#/made/${name}`)).toEqual(published)
})
