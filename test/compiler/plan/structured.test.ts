/** The types of what is inside values, by their schemas. */
import { expect, it } from 'vitest'
import { rememberNothing } from '../../../src/compiler/plan/memo.js'
import { planService } from '../../../src/compiler/plan/plan-service.js'
import { typesIn } from '../../../src/compiler/plan/value-type.js'
import type { JsonObject } from '../../../src/protocol/manifest.js'
import { capability, input, manifestOf } from '../../runtime/fixture/manifest.js'

const planned = (schema: JsonObject, type = 'object') => {
  const inputs = [input('it', { type, 'x-schema': schema })]
  const [plan] = planService(manifestOf({ ask: capability({ inputs }) }), 'svc', rememberNothing).capabilities
  return { type: plan!.parameters[0]!.type, types: plan!.types }
}
const word = (text: string) => ({ kind: 'word', word: text })
const named = (name: string) => ({ kind: 'named', name })
const text = { type: 'string' }

it.each<[JsonObject, object]>([
  [{ $ref: '#/x-schemas/Own' }, named('Own')],
  [{ const: 3 }, { kind: 'literals', literals: [3] }],
  [{ enum: ['a', null, 'b'] }, { kind: 'union', members: [{ kind: 'literals', literals: ['a', 'b'] }, word('null')] }],
  [{ enum: [null] }, word('null')],
  [{ anyOf: [text, { type: 'integer' }] }, { kind: 'union', members: [word('string'), word('number')] }],
  [{ oneOf: [text, { type: 'boolean' }] }, { kind: 'union', members: [word('string'), word('boolean')] }],
  [{ oneOf: [text, { anyOf: [text, { type: 'null' }] }] }, { kind: 'union', members: [word('string'), word('null')] }],
  [{ oneOf: [text, text] }, word('string')],
  [{ oneOf: [text, { description: 'Anything.' }] }, word('Json')],
  [{ type: ['integer', 'number'] }, word('number')],
  [{ type: 'array' }, word('readonly Json[]')],
  [{ type: 'array', items: { type: 'array', items: text } }, { kind: 'list', items: { kind: 'list', items: word('string') } }],
  [{ type: 'object' }, word('JsonObject')],
  [{ type: 'object', additionalProperties: text }, { kind: 'map', values: word('string') }],
  [{ type: 'object', additionalProperties: false }, named('Ask_It')],
])('%j', (schema, type) => {
  expect(planned(schema, 'any').type).toEqual(type)
}) // prettier-ignore

it('names what is inside by its path, each once, and says what is optional and open', () => {
  const line = { type: 'object', properties: { a: text }, required: ['a'], additionalProperties: false, title: 'A line' }
  const { type, types } = planned({
    type: 'object',
    properties: {
      'a b': { ...line, description: 'The first.' },
      a_b: line,
      rows: { type: 'array', items: line },
      either: { oneOf: [text, line] },
      by: { type: 'object', additionalProperties: line },
    },
  })
  const members = (each: (typeof types)[number]) => (each.properties ?? []).map(({ name, optional }) => `${name}${optional ? '?' : ''}`).join(' ')
  expect([type, ...types.map((each) => [each.name, ...each.comment, members(each), 'isOpen' in each && each.isOpen])]).toEqual([
    named('Ask_It'),
    ['Ask_ItAB', 'The first.', 'a', false],
    ['Ask_ItAB2', 'A line', 'a', false],
    ['Ask_ItRowsItem', 'A line', 'a', false],
    ['Ask_ItEitherChoice2', 'A line', 'a', false],
    ['Ask_ItByValue', 'A line', 'a', false],
    ['Ask_It', 'a b? a_b? rows? either? by?', true],
  ])
}) // prettier-ignore

it.each<[string, JsonObject, JsonObject]>([
  ['an object with members', { type: 'object', properties: { a: text } }, { isOpen: true, properties: [expect.objectContaining({ name: 'a' })] }],
  ['an object without', { type: 'object', description: 'Any.' }, { comment: ['Any.'], type: word('JsonObject') }],
  ['an object or null', { type: ['object', 'null'], properties: { a: text } }, { type: { kind: 'union', members: [named('Own_Value'), word('null')] } }],
  ['words', { enum: ['a', 'b'] }, { type: { kind: 'literals', literals: ['a', 'b'] } }],
])('shared: %s', (_, schema, type) => {
  const { sharedTypes } = planService(manifestOf({}, { extensions: { 'x-schemas': { Own: schema } } }), 'svc', rememberNothing)
  expect(sharedTypes.find(({ name }) => name === 'Own')).toMatchObject(type)
}) // prettier-ignore

it('speaks of each type in it, itself included', () => {
  const [a, b] = [
    { kind: 'named', name: 'A' },
    { kind: 'named', name: 'B' },
  ] as const
  expect(typesIn({ kind: 'list', items: a })).toEqual([{ kind: 'list', items: a }, a])
  expect(typesIn({ kind: 'map', values: a })).toEqual([{ kind: 'map', values: a }, a])
  expect(typesIn({ kind: 'union', members: [a, b] })).toEqual([{ kind: 'union', members: [a, b] }, a, b])
})
