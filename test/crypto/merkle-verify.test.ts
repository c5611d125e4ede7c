import { describe, expect, it } from 'vitest'
import { emptyRoot, leafHash, nodeHash, splitOf } from '../../src/crypto/merkle/merkle.js'
import {
  verifyConsistency,
  verifyInclusion,
  verifySubtreeConsistency,
  verifySubtreeInclusion,
} from '../../src/crypto/merkle/merkle-verify.js'

const leaves = Array.from({ length: 17 }, (_, index) => leafHash(String(index)))
const [one, two] = [leafHash('one'), leafHash('two')]
const both = nodeHash(one, two)

/** The definition of RFC 9162, section 2.1.1. */
function rootOf(start: number, end: number): Uint8Array {
  if (end - start === 0) return emptyRoot()
  if (end - start === 1) return leaves[start]!
  const middle = start + splitOf(end - start)
  return nodeHash(rootOf(start, middle), rootOf(middle, end))
}

/** The path of a leaf in the tree from `from` up to `to` (RFC 9162, section 2.1.3.1). */
function inclusionOf(index: number, from: number, to: number): readonly Uint8Array[] {
  if (to - from === 1) return []
  const middle = from + splitOf(to - from)
  return index < middle
    ? [...inclusionOf(index, from, middle), rootOf(middle, to)]
    : [...inclusionOf(index, middle, to), rootOf(from, middle)]
}

/** The proof that a subtree stands in the tree from `from` up to `to` (draft-ietf-plants-merkle-tree-certs, section 4.4.1). */
function consistencyOf(start: number, end: number, from: number, to: number, isKnown = true): readonly Uint8Array[] {
  if (start === from && end === to) return isKnown ? [] : [rootOf(from, to)]
  const middle = from + splitOf(to - from)
  if (end <= middle) return [...consistencyOf(start, end, from, middle, isKnown), rootOf(middle, to)]
  if (start >= middle) return [...consistencyOf(start, end, middle, to, isKnown), rootOf(from, middle)]
  return [...consistencyOf(middle, end, middle, to, false), rootOf(from, middle)]
}

const ranges = leaves.flatMap((_, start) =>
  leaves.slice(start).map((_, offset) => [start, start + offset + 1] as const),
)
const isAligned = ([start, end]: readonly [number, number]) => start % 2 ** Math.ceil(Math.log2(end - start)) === 0

const inclusions = (of: readonly (readonly [number, number])[]) =>
  of.flatMap(([start, end]) =>
    leaves.slice(start, end).map((leafHash, offset) => {
      const index = start + offset
      return { leafHash, index, start, end, root: rootOf(start, end), path: inclusionOf(index, start, end) }
    }),
  )

describe('a leaf is in a subtree', () => {
  it('wherever it is, when the subtree is aligned', () => {
    for (const claim of inclusions(ranges.filter(isAligned))) expect([claim, verifySubtreeInclusion(claim)]).toEqual([claim, true])
  }) // prettier-ignore

  it('and never of one that is not aligned: no tree has such a part', () => {
    for (const claim of inclusions(ranges.filter((range) => !isAligned(range))))
      expect([claim, verifySubtreeInclusion(claim)]).toEqual([claim, false])
  })

  it.each([
    ['below its start', { index: 0, start: 2, end: 4, leafHash: one, path: [two], root: both }],
    ['above its end', { index: 3, start: 0, end: 2, leafHash: two, path: [one], root: both }],
    ['of leaves before the first', { index: -1, start: -1, end: 0, leafHash: one, path: [], root: one }],
  ])('and not %s', (_, claim) => {
    expect(verifySubtreeInclusion(claim)).toBe(false)
  })
})

describe('a subtree stands in a tree', () => {
  const claims = (of: readonly (readonly [number, number])[]) =>
    of.flatMap(([start, end]) =>
      leaves.slice(end - 1).map((_, offset) => {
        const size = end + offset
        const [subtreeRoot, root] = [rootOf(start, end), rootOf(0, size)]
        return { start, end, size, subtreeRoot, root, path: isAligned([start, end]) ? consistencyOf(start, end, 0, size) : [] }
      }),
    ) // prettier-ignore

  it('wherever it is aligned, in every size from its end on, and in no other tree', () => {
    for (const claim of claims(ranges.filter(isAligned))) {
      expect([claim, verifySubtreeConsistency(claim)]).toEqual([claim, true])
      expect([claim, verifySubtreeConsistency({ ...claim, root: one })]).toEqual([claim, false])
      expect([claim, verifySubtreeConsistency({ ...claim, subtreeRoot: one })]).toEqual([claim, false])
      expect([claim, verifySubtreeConsistency({ ...claim, path: claim.path.slice(1) })]).toEqual([
        claim,
        claim.path.length === 0,
      ])
    }
  })

  it.each([
    ['is not aligned', { start: 1, end: 3, size: 3, subtreeRoot: both, root: both, path: [both] }],
    ['is not aligned to its own width', { start: 2, end: 5, size: 6, subtreeRoot: two, root: both, path: [two, one] }],
    ['ends after the tree', { start: 0, end: 2, size: 1, subtreeRoot: both, root: both, path: [] }],
    ['ends before it starts', { start: 1, end: 0, size: 0, subtreeRoot: one, root: one, path: [] }],
    ['ends within a leaf', { start: 0, end: 1.5, size: 2, subtreeRoot: one, root: both, path: [one, two] }],
    ['is of a tree that ends within a leaf', { start: 0, end: 1, size: 1.5, subtreeRoot: one, root: both, path: [two] }],
    ['is empty, under the root of a leaf', { start: 1, end: 1, size: 2, subtreeRoot: one, root: both, path: [] }],
    ['is empty, with a path', { start: 1, end: 1, size: 2, subtreeRoot: emptyRoot(), root: both, path: [two] }],
    ['needs a path and has none', { start: 0, end: 3, size: 5, subtreeRoot: both, root: both, path: [] }],
  ])('unless it %s', (_, claim) => {
    expect(verifySubtreeConsistency(claim)).toBe(false)
  }) // prettier-ignore

  it('without a path when it is empty', () => {
    const claim = { start: 1, end: 1, size: 2, subtreeRoot: emptyRoot(), root: both, path: [] }
    expect(verifySubtreeConsistency(claim)).toBe(true)
  })

  it('and no hash of 31 bytes is one of 32, whatever was hashed before', () => {
    const claim = { start: 0, end: 1, size: 2, path: [two], root: nodeHash(one, two) }
    expect(verifySubtreeConsistency({ ...claim, subtreeRoot: one })).toBe(true)
    expect(verifySubtreeConsistency({ ...claim, subtreeRoot: one.subarray(0, 31) })).toBe(false)
  })
})

describe('a proof is no proof', () => {
  it.each([
    ['for an index below 0', { index: -1, size: 2, leafHash: one, path: [two], root: both }],
    ['for an index between two leaves', { index: 0.5, size: 2, leafHash: one, path: [two], root: both }],
    ['for a size that is no count', { index: 0, size: 1.5, leafHash: one, path: [two], root: both }],
    ['for a size below that of the tree', { index: 0, size: 1, leafHash: two, path: [one], root: both }],
  ])('of inclusion %s', (_, claim) => {
    expect(verifyInclusion(claim)).toBe(false)
  })

  it.each([
    ['from nothing', { fromSize: 0, fromRoot: emptyRoot(), toSize: 1, toRoot: one, path: [] }],
    ['to a size below that of the tree', { fromSize: 1, fromRoot: two, toSize: 1, toRoot: both, path: [one] }],
  ])('of consistency %s', (_, claim) => {
    expect(verifyConsistency(claim)).toBe(false)
  })
})
