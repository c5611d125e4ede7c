import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  appendLeaves,
  frontierNodes,
  leafHash,
  nodeHash,
  rootOf,
  type TreeNodeId,
} from '../../src/crypto/merkle/merkle.js'
import {
  nodesOf,
  proofPathOf,
  planConsistency,
  planInclusion,
  type ProofPlan,
} from '../../src/crypto/merkle/merkle-proof.js'
import { verifyConsistency, verifyInclusion } from '../../src/crypto/merkle/merkle-verify.js'

const leaves = Array.from({ length: 400 }, (_, index) => leafHash(String(index)))
const { nodes } = appendLeaves([], 0, leaves)
const stored = new Map(nodes.map(({ level, index, hash }) => [`${level}/${index}`, hash]))
const fetched = (ids: readonly TreeNodeId[]) => ids.map(({ level, index }) => stored.get(`${level}/${index}`)!)
const pathFor = (plan: ProofPlan) => proofPathOf(plan, fetched(nodesOf(plan)))
const rootAt = (size: number) => rootOf(fetched(frontierNodes(size)))

/** The definition of RFC 9162, section 2.1.1, word for word. */
function naiveRoot(hashes: readonly Uint8Array[]): Uint8Array {
  if (hashes.length === 1) return hashes[0]!
  const split = 2 ** Math.ceil(Math.log2(hashes.length) - 1)
  return nodeHash(naiveRoot(hashes.slice(0, split)), naiveRoot(hashes.slice(split)))
}

const size = fc.integer({ min: 1, max: leaves.length })
const turned = (hash: Uint8Array, bit: number) =>
  Uint8Array.from(hash, (byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))

describe('the tree', () => {
  it('has the root of the definition at every size, kept incrementally', () => {
    for (let count = 1; count <= 130; count++) expect(rootAt(count)).toEqual(naiveRoot(leaves.slice(0, count)))
  })

  it('does not care how its leaves arrive', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 12 }), (batches) => {
        let [frontier, count]: [readonly Uint8Array[], number] = [[], 0]
        for (const batch of batches) {
          frontier = appendLeaves(frontier, count, leaves.slice(count, count + batch)).frontier
          count += batch
        }
        expect(rootOf(frontier)).toEqual(rootAt(count))
      }),
    )
  })
})

describe('proofs', () => {
  it('C06: include every leaf, and nothing else: no turned bit, no other index, size or length', () => {
    fc.assert(
      fc.property(size, fc.nat(), fc.nat({ max: 255 }), (count, seed, bit) => {
        const index = seed % count
        const claim = {
          leafHash: leaves[index]!,
          index,
          size: count,
          path: pathFor(planInclusion(index, count)),
          root: rootAt(count),
        }
        expect(verifyInclusion(claim)).toBe(true)
        expect(verifyInclusion({ ...claim, leafHash: turned(claim.leafHash, bit) })).toBe(false)
        expect(verifyInclusion({ ...claim, root: turned(claim.root, bit) })).toBe(false)
        expect(verifyInclusion({ ...claim, index: index + count })).toBe(false)
        expect(verifyInclusion({ ...claim, path: [...claim.path, claim.root] })).toBe(false)
        if (count > 1) expect(verifyInclusion({ ...claim, path: claim.path.slice(1) })).toBe(false)
        if (count > 1) expect(verifyInclusion({ ...claim, index: (index + 1) % count })).toBe(false)
        expect(verifyInclusion({ ...claim, path: Array.from({ length: 64 }, () => claim.root) })).toBe(false)
      }),
      { numRuns: 300 },
    )
  })

  it('C06: connect any two sizes, and no others', () => {
    fc.assert(
      fc.property(size, size, fc.nat({ max: 255 }), (one, other, bit) => {
        const [from, to] = one < other ? [one, other] : [other, one]
        const claim = {
          fromSize: from,
          fromRoot: rootAt(from),
          toSize: to,
          toRoot: rootAt(to),
          path: pathFor(planConsistency(from, to)),
        }
        expect(verifyConsistency(claim)).toBe(true)
        expect(verifyConsistency({ ...claim, toRoot: turned(claim.toRoot, bit) })).toBe(false)
        expect(verifyConsistency({ ...claim, fromRoot: turned(claim.fromRoot, bit) })).toBe(false)
        expect(verifyConsistency({ ...claim, path: [...claim.path, claim.toRoot] })).toBe(false)
        expect(verifyConsistency({ ...claim, fromSize: 0 })).toBe(false)
        if (from < to)
          expect(verifyConsistency({ ...claim, fromRoot: claim.toRoot, toRoot: claim.fromRoot })).toBe(false)
        if (from < to) expect(verifyConsistency({ ...claim, path: claim.path.slice(1) })).toBe(false)
      }),
      { numRuns: 300 },
    )
  })

  it('C03: connect all pairs of 200 checkpoints; an edited leaf breaks those that cover it', () => {
    const roots = Array.from({ length: 200 }, (_, index) => rootAt((index + 1) * 2))
    for (let to = 0; to < 200; to++)
      for (let from = 0; from <= to; from++) {
        const [fromSize, toSize] = [(from + 1) * 2, (to + 1) * 2]
        const claim = {
          fromSize,
          fromRoot: roots[from]!,
          toSize,
          toRoot: roots[to]!,
          path: pathFor(planConsistency(fromSize, toSize)),
        }
        if (!verifyConsistency(claim)) throw new Error(`${fromSize} to ${toSize}`)
      }
    const edited = rootOf(appendLeaves([], 0, leaves.with(100, leafHash('edited'))).frontier)
    const path = pathFor(planConsistency(200, 400))
    expect(verifyConsistency({ fromSize: 200, fromRoot: roots[99]!, toSize: 400, toRoot: edited, path })).toBe(false)
  })

  it.each([[0, 0], [5, 5], [-1, 5], [1.5, 5], [0, Number.NaN]])('do not exist for leaf %s of %s', (index, count) => {
    expect(() => planInclusion(index, count)).toThrow(
      new RangeError(`A tree of size ${count} has no leaf ${index}.`),
    )
  }) // prettier-ignore

  it.each([[0, 5], [6, 5], [-1, 5], [1.5, 5]])('do not exist from %s to %s', (from, to) => {
    expect(() => planConsistency(from, to)).toThrow(
      new RangeError(`There is no consistency proof from size ${from} to size ${to}.`),
    )
  }) // prettier-ignore
})
