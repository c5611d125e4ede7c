/** Which entries without content no erasure accounts for, in whichever order the erasures come. */
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
