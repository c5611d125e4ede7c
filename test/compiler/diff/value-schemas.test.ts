/** Whether a schema takes each value that the one before took: only then does no caller break. */
import { describe, expect, it } from 'vitest'
import { takesAll } from '../../../src/compiler/diff/value-schemas.js'
import type { Json } from '../../../src/protocol/manifest.js'

type Row = readonly [before: object | undefined, after: object | undefined, takes: boolean, back: boolean]

/** In both directions. */
const expectRow = ([before, after, takes, back]: Row): void => {
  expect([takesAll(before as Json, after as Json), takesAll(after as Json, before as Json)]).toEqual([takes, back])
}

const [TEXT, NUMBER, FLAG] = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] as const

describe('a schema takes what another one took', () => {
  it.each<Row>([
    [TEXT, TEXT, true, true],
    [TEXT, { ...TEXT, title: 'T', description: 'd', examples: ['a'] }, true, true],
    [TEXT, {}, true, false],
    [TEXT, undefined, true, false],
    [TEXT, NUMBER, false, false],
    [{ type: 'integer' }, NUMBER, true, false],
    [TEXT, { type: ['string', 'null'] }, true, false],
    [{ type: ['string', 'null'] }, { type: ['integer', 'string'] }, false, false],
  ])('by its type: %j, %j', (...row) => expectRow(row))

  it.each<Row>([
    [{ enum: ['a'] }, { enum: ['a', 'b'] }, true, false],
    [{ const: 'a' }, { enum: ['a', 'b'] }, true, false],
    [{ enum: ['a', 1] }, { type: ['string', 'integer'] }, true, false],
    [{ enum: ['a'] }, TEXT, true, false],
    [{ enum: ['a'] }, NUMBER, false, false],
    [{ enum: [1.5] }, { type: 'integer' }, false, false],
    [{ const: null }, { type: 'null' }, true, false],
    [{ enum: ['a'] }, { ...TEXT, maxLength: 5 }, false, false],
  ])('by its values: %j, %j', (...row) => expectRow(row))

  it.each(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'])('where %s falls', (keyword) => {
    expectRow([{ [keyword]: 2 }, { [keyword]: 1 }, true, false])
    expectRow([{ [keyword]: 1 }, { type: 'number', [keyword]: 1 }, false, true])
    expectRow([{ ...TEXT, [keyword]: 1 }, TEXT, true, false])
  })

  it.each(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'])('where %s rises', (keyword) => {
    expectRow([{ [keyword]: 1 }, { [keyword]: 2 }, true, false])
    expectRow([{ ...TEXT, [keyword]: 1 }, TEXT, true, false])
  })

  it.each([
    ['pattern', '^a', '^b'],
    ['format', 'date', 'email'],
    ['multipleOf', 2, 4],
    ['uniqueItems', true, false],
  ])('where %s goes, and where it stays', (keyword, one, other) => {
    expectRow([{ ...TEXT, [keyword]: one }, { ...TEXT, [keyword]: one }, true, true])
    expectRow([{ ...TEXT, [keyword]: one }, { ...TEXT, [keyword]: other }, false, false])
    expectRow([{ ...TEXT, [keyword]: one }, TEXT, true, false])
  })

  const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
  const closed = { additionalProperties: false }
  it.each<Row>([
    [object({}, { required: ['a'] }), object({}), true, false],
    [object({}, { required: ['a'] }), object({}, { required: ['a', 'b'] }), false, true],
    [object({}, closed), object({}), true, false],
    [object({ a: TEXT }, closed), object({ a: TEXT, b: TEXT }, closed), true, false],
    [object({}), object({ a: TEXT }), false, true],
    [object({ a: { type: 'integer' } }), object({ a: NUMBER }), true, false],
    [object({}, { additionalProperties: { type: 'integer' } }), object({ a: NUMBER }, { additionalProperties: NUMBER }), true, false],
    [object({ constructor: TEXT }, closed), object({}, closed), false, true],
  ])('by its members: %j, %j', (...row) => expectRow(row)) // prettier-ignore

  it.each<Row>([
    [{ type: 'array', items: { type: 'integer' } }, { type: 'array', items: NUMBER }, true, false],
    [{ type: 'array', items: TEXT }, { type: 'array' }, true, false],
  ])('by its items: %j, %j', (...row) => expectRow(row))

  it.each<Row>([
    [TEXT, { anyOf: [TEXT, NUMBER] }, true, false],
    [{ anyOf: [TEXT, NUMBER] }, { anyOf: [FLAG, NUMBER, TEXT] }, true, false],
    [{ oneOf: [TEXT, NUMBER] }, { anyOf: [TEXT, NUMBER] }, true, false],
    // A value that two branches take is taken by none of `oneOf`.
    [{ oneOf: [TEXT] }, { oneOf: [TEXT, NUMBER] }, false, false],
  ])('by its choices: %j, %j', (...row) => expectRow(row))

  const defs = (type: string) => ({ $defs: { A: { type } } })
  it.each<Row>([
    [{ $ref: '#/$defs/A', ...defs('string') }, { $ref: '#/$defs/A', ...defs('string') }, true, true],
    [{ $ref: '#/$defs/A', ...defs('integer') }, { $ref: '#/$defs/A', ...defs('number') }, false, false],
    [{ ...TEXT, ...defs('string') }, { type: ['string', 'null'], ...defs('string') }, true, false],
    [{ ...TEXT, ...defs('string') }, { type: ['string', 'null'], ...defs('number') }, false, false],
    [{ ...TEXT, ...defs('string') }, defs('string'), true, false],
  ])('and is not sure of references: %j, %j', (...row) => expectRow(row))
})

/** Each keyword with values that differ in what they take, and none. */
const KEYWORDS: { readonly [keyword: string]: readonly unknown[] } = {
  type: ['string', 'integer', ['string', 'null']],
  enum: [['a', 'b', 1], ['a', 'bb'], [1, 7]],
  const: ['a', 'b', 7],
  minimum: [2, 5],
  maximum: [2, 5],
  minLength: [2],
  maxLength: [1],
  pattern: ['^a', '^b'],
  anyOf: [[{ type: 'string' }, { type: 'integer', maximum: 3 }], [{ const: 'a' }, { minimum: 2 }], [{ enum: ['bb', 7] }]],
  oneOf: [[{ type: 'string' }, { minLength: 2 }], [{ const: 'b' }, { type: 'null' }]],
} // prettier-ignore

/** Each keyword by itself, as JSON Schema has it. */
const JUDGES: { readonly [keyword: string]: (value: unknown, given: never) => boolean } = {
  type: (value, given: string | string[]) => [given].flat().some((type) => (type === 'null' ? value === null : type === 'integer' ? Number.isInteger(value) : typeof value === type)),
  enum: (value, given: unknown[]) => given.includes(value),
  const: (value, given: unknown) => value === given,
  minimum: (value, given: number) => typeof value !== 'number' || value >= given,
  maximum: (value, given: number) => typeof value !== 'number' || value <= given,
  minLength: (value, given: number) => typeof value !== 'string' || value.length >= given,
  maxLength: (value, given: number) => typeof value !== 'string' || value.length <= given,
  pattern: (value, given: string) => typeof value !== 'string' || new RegExp(given, 'u').test(value),
  anyOf: (value, given: object[]) => given.some((each) => takes(each, value)),
  oneOf: (value, given: object[]) => given.filter((each) => takes(each, value)).length === 1,
} // prettier-ignore
const takes = (schema: object, value: unknown): boolean =>
  Object.entries(schema).every(([keyword, given]) => JUDGES[keyword]!(value, given as never))

const VALUES = ['a', 'b', 'bb', 'ab', '', 1, 2, 3, 5, 7, null, true]

it('N34 takes no value less where it is said to take all: each pair of schemas of two keywords', () => {
  const one = Object.entries(KEYWORDS).flatMap(([keyword, values]) => values.map((value) => ({ [keyword]: value })))
  const two = one.flatMap((first, at) => one.slice(at + 1).map((second) => ({ ...first, ...second })))
  const known = new Map([...one, ...two].map((schema) => [JSON.stringify(schema), schema]))
  const judged = [...known.values()].map((schema) => ({ schema, taken: VALUES.map((value) => takes(schema, value)) }))
  const wrong = judged.flatMap((was) =>
    judged
      .filter((is) => was.taken.some((taken, at) => taken && !is.taken[at]) && takesAll(was.schema as Json, is.schema as Json))
      .map((is) => [was.schema, is.schema]),
  ) // prettier-ignore
  expect(wrong.slice(0, 5)).toEqual([])
})
