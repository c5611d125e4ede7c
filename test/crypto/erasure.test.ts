/** Which entries without content no erasure accounts for, in whichever order the erasures come, and which one may. */
import { expect, it } from 'vitest'
import { coverage } from '../../src/crypto/trail/erasure.js'

type Range = readonly [from: number, to: number]
const erasureOf = (...ranges: readonly Range[]) => ({
  entry_type: 'erasure',
  sequence: 100,
  erased: { ranges: ranges as never, count: ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0) },
})

it.each<[string, readonly (readonly Range[])[], readonly Range[]]>([
  ['one after the other', [[[1, 3]], [[4, 9]]], []],
  ['the later ones first', [[[6, 9]], [[4, 5]], [[1, 3]]], []],
  ['one within another', [[[1, 9]], [[1, 3]]], []],
  ['one within another, which comes last', [[[2, 3]], [[1, 9]]], []],
  ['several ranges', [[[1, 2], [5, 9]], [[3, 4]]], []],
  ['a gap', [[[1, 3]], [[6, 9]]], [[4, 5]]],
  ['a gap at each end', [[[4, 4]], [[3, 3]]], [[1, 2], [5, 9]]],
  ['none', [], [[1, 9]]],
])('of nine entries %s', (_, erasures, left) => {
  const watched = coverage()
  for (let sequence = 1; sequence <= 9; sequence++) watched.isErased(sequence)
  expect(erasures.map((ranges) => watched.accounts(erasureOf(...ranges)))).toEqual(erasures.map(() => true))
  expect([watched.uncovered(), watched.erased(), watched.erasures()]).toEqual([left, 9, erasures.length])
}) // prettier-ignore

it.each<[string, readonly Range[], boolean]>([
  ['entries before it', [[1, 3]], true],
  ['the entry right before it', [[99, 99]], true],
  ['several runs before it', [[1, 3], [5, 9], [99, 99]], true],
  ['itself', [[100, 100]], false],
  ['entries up to itself', [[1, 100]], false],
  ['an entry after it', [[101, 101]], false],
  ['itself, after one before it', [[1, 3], [100, 100]], false],
  ['an entry after it, after one before it', [[1, 3], [101, 101]], false],
  ['entries on both sides in one run, after others', [[1, 3], [90, 110]], false],
  ['an entry after it, after many before it', [[1, 3], [5, 9], [200, 200]], false],
  ['an entry after it, before others', [[101, 101], [1, 3]], false],
  ['a run that ends before it begins', [[3, 2], [5, 9]], false],
  ['runs that fall', [[5, 9], [1, 3]], false],
  ['runs that touch', [[1, 3], [4, 9]], false],
  ['one run twice', [[1, 3], [1, 3]], false],
  ['the entry before the first', [[0, 1]], false],
  ['nothing', [], false],
])('the hundredth entry may account for %s', (_, ranges, isRead) => {
  const watched = coverage()
  watched.isErased(2)
  watched.isErased(101)
  expect(watched.accounts(erasureOf(...ranges))).toBe(isRead)
  const left = isRead && ranges[0]![0] === 1 ? [[101, 101]] : [[2, 2], [101, 101]]
  expect(watched.uncovered()).toEqual(left)
}) // prettier-ignore
