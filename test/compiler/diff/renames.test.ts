/** When something of another name is the same thing. */
import { expect, it } from 'vitest'
import { alike, renamed } from '../../../src/compiler/diff/renames.js'
import type { JsonObject } from '../../../src/protocol/manifest.js'

const body = (count: number, others = 0): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`m${n}`, n < others ? `other ${n}` : n]))

it.each([
  [body(10), body(10), true],
  [body(10), body(10, 1), true],
  [body(9), body(9, 1), false],
  [body(20), body(20, 2), true],
  [body(20), body(20, 3), false],
  [body(10), body(9), true],
  [body(9), body(8), false],
  [{}, {}, false],
  [{ a: [1, 2] }, { a: [2, 1] }, true],
  [{ a: { b: 1 } }, { a: { c: 1 } }, false],
])('%# is alike, where nine of ten values are', (one, other, isAlike) => {
  expect([alike(one, other), alike(other, one)]).toEqual([isAlike, isAlike])
})

it('gives each name that went one that came, the first that fits', () => {
  const [same, different] = [body(10), body(10, 9)]
  const of = (...entries: readonly (readonly [string, JsonObject])[]) => new Map(entries)
  expect([...renamed(of(['a', same], ['b', same], ['c', different]), of(['x', same], ['y', same], ['z', body(3)]))]).toEqual([['a', 'x'], ['b', 'y']]) // prettier-ignore
  expect([...renamed(of(['a', same]), of())]).toEqual([])
  expect([...renamed(of(['a', same]), of(['x', different]), () => true)]).toEqual([['a', 'x']])
})

it('compares 10,000 pairs at most', () => {
  const many = (prefix: string, count: number) => new Map(Array.from({ length: count }, (_, n) => [`${prefix}${n}`, { n }])) // prettier-ignore
  expect(renamed(many('a', 100), many('b', 100)).size).toBe(100)
  expect(renamed(many('a', 100), many('b', 101)).size).toBe(0)
})
