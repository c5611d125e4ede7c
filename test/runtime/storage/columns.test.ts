import { expect, it } from 'vitest'
import * as columns from '../../../src/runtime/storage/sql/columns.js'

const { bytes, DamagedRow, integer, json, optionalInteger, optionalText, textColumn } = columns
const read = (reader: (row: { readonly [column: string]: unknown }, column: string) => unknown, value: unknown): unknown => {
  try {
    return reader({ n: value }, 'n')
  } catch (error) {
    return error instanceof DamagedRow ? error.message : error
  }
} // prettier-ignore
const DAMAGED = 'The stored column n has an unexpected type.'

it.each<[string, Parameters<typeof read>[0], readonly unknown[], readonly unknown[]]>([
  ['a text', textColumn, ['', 'a'], [null, undefined, 1, new Uint8Array()]],
  ['a whole number', integer, [0, -1, 2 ** 53 - 1], [null, undefined, '1', 0.5, NaN, 2 ** 53, 1n]],
  ['bytes', bytes, [new Uint8Array([1])], [null, undefined, 'a', [1]]],
])('a column of %s is read as it is, and nothing else', (_, reader, good, bad) => {
  expect(good.map((value) => read(reader, value))).toEqual(good)
  expect(bad.map((value) => read(reader, value))).toEqual(bad.map(() => DAMAGED))
})

it('what may be absent is read as absent, and damage as damage', () => {
  expect([null, undefined, 'a', 1].map((value) => read(optionalText, value))).toEqual([null, null, 'a', DAMAGED])
  expect([null, undefined, 1, 'a'].map((value) => read(optionalInteger, value))).toEqual([undefined, undefined, 1, DAMAGED]) // prettier-ignore
})

it('JSON is read as what it says, and damage as damage', () => {
  expect(['{"a":1}', '{"a"', null].map((value) => read(json, value))).toEqual([{ a: 1 }, DAMAGED, DAMAGED])
})

it('an array buffer is bytes', () => {
  expect(read(bytes, new Uint8Array([1, 2]).buffer)).toEqual(new Uint8Array([1, 2]))
})
