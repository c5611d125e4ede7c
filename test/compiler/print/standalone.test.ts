/** The code that judges structured values: what it looks at, and that no text of an author is in it. */
import { expect, it } from 'vitest'
import { standaloneOf } from '../../../src/compiler/print/standalone.js'
import { withTypesOfUniqueItems } from '../../../src/compiler/print/unique-items.js'
import type { ValueSchema, ValueSchemas } from '../../../src/protocol/value-schema.js'

const codeOf = (schema: ValueSchema, shared: ValueSchemas = {}): string =>
  standaloneOf(new Map([['check', schema]]), shared).text

it('looks at the own members of a value alone', () => {
  const properties = Object.fromEntries([['constructor', { type: 'string' as const }]])
  const code = codeOf({ type: 'object', properties, required: ['constructor'] })
  expect(code).toContain('func0 = Object.prototype.hasOwnProperty;')
  expect(code).toContain('!(func0.call(data, "constructor"))')
})

it('holds no words for people, and nothing but ASCII', () => {
  const words = { title: 'TITLE */ x', description: 'DESCRIPTION', $comment: 'COMMENT', examples: ['EXAMPLE'] }
  const code = codeOf({ ...words, type: 'object', properties: { a: { ...words, enum: ['é\u202e\u2028'] } } })
  expect(code).not.toMatch(/TITLE|DESCRIPTION|COMMENT|EXAMPLE/u)
  expect(code).not.toMatch(/[^\n -~]/u)
  expect(code).toContain('\\u00e9\\u202e\\u2028')
})

it('runs patterns in linear time, and needs what it names', () => {
  const { text, needs } = standaloneOf(new Map([['check', { type: 'string', pattern: '^(a+)+$', maxLength: 9 }]]), {})
  expect([...needs].toSorted()).toEqual(['codePointLength', 'linearPattern'])
  expect(text).not.toMatch(/new RegExp|require\(|\bimport\b/u)
})

it.each<[ValueSchema]>([
  [{ const: { a: 1 } } as unknown as ValueSchema],
  [{ enum: [{ a: 1 }, null] } as unknown as ValueSchema],
  [{ type: 'array', uniqueItems: true, items: { type: 'object' } }],
])('compares %j by what it says, with nothing that would be loaded', (schema) => {
  const { text, needs } = standaloneOf(new Map([['check', schema]]), {})
  expect([...needs]).toEqual(['sameJson'])
  expect(text).not.toContain('require(')
})

it('judges a choice by its tag first', () => {
  const branch = (kind: string): ValueSchema => ({ type: 'object', properties: { kind: { const: kind } }, required: ['kind'] }) as ValueSchema // prettier-ignore
  const code = codeOf({ oneOf: [branch('card'), branch('cash')] })
  expect(code).toContain('if(tag0 === "card"){')
  expect(code).toContain('if(tag0 === "cash"){')
})

const A = { $ref: '#/x-schemas/A' } as const
it.each<[ValueSchema, ValueSchemas, unknown]>([
  [{ uniqueItems: true, items: A }, { A: { type: 'string' } }, { ...A, type: ['string'] }],
  [{ uniqueItems: true, items: A }, { A: { anyOf: [{ type: 'string' }, { $ref: '#/x-schemas/B' }] }, B: { type: ['integer', 'string'] } }, { ...A, type: ['string', 'integer'] }],
  [{ uniqueItems: true, items: { type: 'string' } }, {}, { type: 'string' }],
  [{ uniqueItems: false, items: A }, { A: { type: 'string' } }, A],
  [{ uniqueItems: true, items: A }, { A: {} }, A],
])('the unique items of %j have their types, so that they are looked up', (schema, shared, items) => {
  expect(withTypesOfUniqueItems(schema, shared).items).toEqual(items)
}) // prettier-ignore
