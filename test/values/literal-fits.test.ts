import { expect, it } from 'vitest'
import { keywordsAgainst } from '../../src/compiler/rules/facts/schemas/fits-schema.js'
import type { Json } from '../../src/protocol/manifest.js'
import type { ValueSchema } from '../../src/protocol/value-schema.js'

it.each<readonly [Json, ValueSchema, readonly string[]]>([
  ['😀😀', { maxLength: 2 }, []],
  ['😀😀', { maxLength: 1 }, ['maxLength']],
  ['😀', { minLength: 2 }, ['minLength']],
  ['😀😀', { minLength: 2 }, []],
  ['ab', { minLength: 2, maxLength: 2 }, []],
  ['a', { minLength: 2, maxLength: 2 }, ['minLength']],
  ['abc', { minLength: 2, maxLength: 2 }, ['maxLength']],
  [[1, 2], { minItems: 2, maxItems: 2 }, []],
  [[1], { minItems: 2, maxItems: 2 }, ['minItems']],
  [[1, 2, 3], { minItems: 2, maxItems: 2 }, ['maxItems']],
  [{ a: 1 }, { minProperties: 1, maxProperties: 1 }, []],
  [{}, { minProperties: 1, maxProperties: 1 }, ['minProperties']],
  [{ a: 1, b: 2 }, { minProperties: 1, maxProperties: 1 }, ['maxProperties']],
  [12345, { maxLength: 1, maxItems: 1, maxProperties: 1 }, []],
])('%j against %j fails %j', (value, schema, keywords) => {
  expect([...keywordsAgainst(value, schema, {})]).toEqual(keywords)
})
