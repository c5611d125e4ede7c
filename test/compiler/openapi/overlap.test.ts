/** Alternatives of `oneOf`: those that no value could fit twice stay, and all others are `anyOf` (decisions, section 19). */
import { expect, it } from 'vitest'
import { readApiDocument } from '../../../src/compiler/openapi/library.js'
import { alternativesOverlap } from '../../../src/compiler/openapi/overlap.js'
import type { Description } from '../../../src/compiler/openapi/references.js'

const tagged = (value: unknown, required = ['kind'], more: object = {}) => ({
  type: 'object',
  required,
  properties: { kind: { const: value } },
  ...more,
})
const ref = (name: string) => ({ $ref: `#/schemas/${name}` })
const SCHEMAS = {
  Cat: tagged('cat'),
  Dog: { oneOf: [tagged('poodle'), tagged('pug')], discriminator: { propertyName: 'kind' } },
  Pet: { oneOf: [ref('Cat'), ref('Dog')] },
  Fish: { allOf: [{ type: 'object', required: ['kind'] }, { properties: { kind: { enum: ['cod', 'eel'] } } }] },
  Loop: { oneOf: [ref('Loop'), { type: 'object' }] },
  Circle: { allOf: [ref('Circle')] },
}

function overlapping(...branches: readonly object[]): boolean {
  const root = readApiDocument('api.json', JSON.stringify({ schemas: SCHEMAS, branches }))
  if ('line' in root) throw new Error(root.message)
  const description = { root, documents: new Map(), wanted: new Set(), target: () => ({ why: '' }), findings: [] } as unknown as Description // prettier-ignore
  const places = branches.map((value, index) => ({ document: root, pointer: `/branches/${index}`, value: value as never })) // prettier-ignore
  const found = alternativesOverlap(description, places)
  expect(description.findings).toEqual([])
  return found
}

it.each<[string, readonly object[]]>([
  ['of two types', [{ type: 'string' }, { type: 'object' }]],
  ['of three types', [{ type: 'string' }, { type: 'array' }, { type: ['integer', 'null'] }]],
  ['of different values', [{ enum: ['a', 'b'] }, { const: 'c' }]],
  ['with a required constant that differs', [tagged('a'), tagged('b')]],
  ['with values of a required member that differ', [ref('Cat'), ref('Fish')]],
  ['by the tag of a choice inside', [ref('Cat'), ref('Dog')]],
  ['by the tags of choices inside a choice', [ref('Pet'), ref('Fish')]],
])('is apart: alternatives %s', (_, branches) => {
  expect(overlapping(...branches)).toBe(false)
})

it.each<[string, readonly object[]]>([
  ['a number and an integer', [{ type: 'number' }, { type: 'integer' }]],
  ['a string and one of a format', [{ type: 'string' }, { type: 'string', format: 'date' }]],
  [
    'objects without a tag',
    [
      { type: 'object', properties: { a: {} } },
      { type: 'object', properties: { b: {} } },
    ],
  ],
  ['a required member of each', [{ required: ['a'] }, { required: ['b'] }]],
  ['tags that may be left out', [tagged('a', []), tagged('b')]],
  ['one that is anything', [{}, { type: 'string' }]],
  ['two that may be null', [{ type: ['string', 'null'] }, { type: ['object', 'null'] }]],
  ['values of which one is the same', [{ enum: ['a', 'b'] }, { enum: ['b', 'c'] }]],
  ['a choice of which one alternative is the other', [ref('Pet'), ref('Cat')]],
  ['one that leads to itself', [ref('Loop'), { type: 'object' }]],
  ['one that never ends', [ref('Circle'), { type: 'object' }]],
])('overlaps: %s', (_, branches) => {
  expect(overlapping(...branches)).toBe(true)
})
