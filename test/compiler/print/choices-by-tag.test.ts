/** Which choices are told apart by a tag, so that a fault is reported in the branch that was meant. */
import { expect, it } from 'vitest'
import { withChoicesByTag } from '../../../src/compiler/print/choices-by-tag.js'
import type { ValueSchema, ValueSchemas } from '../../../src/protocol/value-schema.js'

const branch = (kind: object, more: object = {}): ValueSchema => ({ type: 'object', properties: { kind }, required: ['kind'], ...more }) as ValueSchema // prettier-ignore
const CARD = branch({ const: 'card' })
const CASH = branch({ const: 'cash' })
const SHARED: ValueSchemas = { Card: CARD, Cash: CASH }
const tagged = (values: readonly string[], oneOf: readonly ValueSchema[], tag = 'kind'): object => ({
  type: 'object',
  properties: { [tag]: { enum: values } },
  required: [tag],
  discriminator: { propertyName: tag },
  oneOf,
})
const refTo = (name: string): ValueSchema => ({ $ref: `#/x-schemas/${name}` })

it.each<[string, ValueSchema, object]>([
  ['oneOf of constants', { oneOf: [CARD, CASH] }, tagged(['card', 'cash'], [CARD, CASH])],
  ['anyOf of constants', { anyOf: [CARD, CASH] }, tagged(['card', 'cash'], [CARD, CASH])],
  ['one branch alone', { oneOf: [CARD] }, tagged(['card'], [CARD])],
  ['several words of a branch', { oneOf: [branch({ enum: ['visa', 'amex'] }), CASH] }, tagged(['visa', 'amex', 'cash'], [branch({ enum: ['visa', 'amex'] }), CASH])],
  ['references', { oneOf: [refTo('Card'), refTo('Cash')] }, tagged(['card', 'cash'], [refTo('Card'), refTo('Cash')])],
  ['what stands beside the choice', { title: 'Payment', oneOf: [CARD, CASH] }, { title: 'Payment', ...tagged(['card', 'cash'], [CARD, CASH]) }],
  [
    'a later member, where the first tells nothing apart',
    { oneOf: ['a', 'b'].map((type) => ({ type: 'object', properties: { id: { type: 'string' }, type: { const: type } }, required: ['id', 'type'] })) as ValueSchema[] },
    tagged(['a', 'b'], ['a', 'b'].map((type) => ({ type: 'object', properties: { id: { type: 'string' }, type: { const: type } }, required: ['id', 'type'] })) as ValueSchema[], 'type'),
  ],
])('a choice is told apart by its tag: %s', (_, schema, expected) => {
  expect(withChoicesByTag(schema, SHARED)).toEqual(expected)
}) // prettier-ignore

it.each<[string, ValueSchema]>([
  ['no choice', { type: 'string' }],
  ['two choices at once', { oneOf: [CARD, CASH], anyOf: [CARD, CASH] }],
  ['a branch that may leave the member out', { oneOf: [CARD, branch({ const: 'cash' }, { required: [] })] }],
  ['a first branch that demands nothing', { oneOf: [branch({ const: 'card' }, { required: undefined }), CASH] }],
  ['a branch that is no object', { oneOf: [CARD, branch({ const: 'cash' }, { type: 'string' })] }],
  ['a branch of several types', { oneOf: [CARD, branch({ const: 'cash' }, { type: ['object', 'null'] })] }],
  ['the same word twice', { oneOf: [CARD, branch({ enum: ['cash', 'card'] })] }],
  ['a number', { oneOf: [CARD, branch({ const: 7 })] }],
  ['an empty word', { oneOf: [CARD, branch({ const: '' })] }],
  ['a word that every object has', { oneOf: [CARD, branch({ const: 'constructor' })] }],
  ['a member of any text', { oneOf: [CARD, branch({ type: 'string' })] }],
  ['a member that is not described', { oneOf: [CARD, { type: 'object', properties: {}, required: ['kind'] }] }],
  ['a branch without members', { oneOf: [CARD, { type: 'object', required: ['kind'] }] }],
  ['a member that only objects of JavaScript have', { oneOf: [{ type: 'object', properties: {}, required: ['constructor'] }] }],
  ['a reference with something beside it', { oneOf: [CARD, { ...refTo('Cash'), title: 'Cash' }] }],
  ['a reference to nothing', { oneOf: [CARD, refTo('Cheque')] }],
  ['a reference to elsewhere', { oneOf: [CARD, { $ref: '#/other/Cash' }] }],
])('a schema stays as it is: %s', (_, schema) => {
  expect(withChoicesByTag(schema, SHARED)).toBe(schema)
}) // prettier-ignore
