import { describe, expect, it } from 'vitest'
import { canonicalText } from '../../src/crypto/json/canonical.js'
import { formatHash, parseHash } from '../../src/crypto/json/digest.js'
import { appendLeaves, leafHash, rootOf, type TreeNodeId } from '../../src/crypto/merkle/merkle.js'
import {
  nodesOf,
  proofPathOf,
  planConsistency,
  planInclusion,
  type ProofPlan,
} from '../../src/crypto/merkle/merkle-proof.js'
import { verifyConsistency, verifyInclusion } from '../../src/crypto/merkle/merkle-verify.js'
import { forSet, vectorJson } from './vectors.js'

forSet('svc-audit-merkle', ['vectors.json'], () => {
  const { entries, roots, inclusion, consistency } = vectorJson<{
    readonly entries: readonly object[]
    readonly roots: { readonly [size: string]: string }
    readonly inclusion: readonly {
      tree_size: number
      leaf_index: number
      root: string
      leaf_hash: string
      proof: readonly string[]
    }[]
    readonly consistency: readonly {
      old_size: number
      new_size: number
      old_root: string
      new_root: string
      proof: readonly string[]
    }[]
  }>('svc-audit-merkle', 'vectors.json')

  const leaves = entries.map((entry) => leafHash(canonicalText(entry)))
  const { nodes } = appendLeaves([], 0, leaves)
  const stored = new Map(nodes.map(({ level, index, hash }) => [`${level}/${index}`, hash]))
  const fetched = (ids: readonly TreeNodeId[]) => ids.map(({ level, index }) => stored.get(`${level}/${index}`)!)
  const provenBy = (plan: ProofPlan) => proofPathOf(plan, fetched(nodesOf(plan))).map(hex)
  const hex = (hash: Uint8Array) => Buffer.from(hash).toString('hex')
  const bytes = (text: string) => parseHash(text)!
  const path = (proof: readonly string[]) => proof.map((hash) => Buffer.from(hash, 'hex'))

  describe('the audit trail as a tree', () => {
    it.each(Object.entries(roots))('root of size %s', (size, root) => {
      expect(formatHash(rootOf(appendLeaves([], 0, leaves.slice(0, Number(size))).frontier))).toBe(root)
    })

    it.each(inclusion)(
      'leaf $leaf_index of $tree_size',
      ({ tree_size: size, leaf_index: index, root, leaf_hash: leaf, proof }) => {
        expect(hex(leaves[index]!)).toBe(leaf)
        expect(provenBy(planInclusion(index, size))).toEqual(proof)
        expect(verifyInclusion({ leafHash: leaves[index]!, index, size, path: path(proof), root: bytes(root) })).toBe(
          true,
        )
      },
    )

    it.each(consistency)('from $old_size to $new_size', ({ old_size, new_size, old_root, new_root, proof }) => {
      expect(provenBy(planConsistency(old_size, new_size))).toEqual(proof)
      const claim = { fromSize: old_size, fromRoot: bytes(old_root), toSize: new_size, toRoot: bytes(new_root) }
      expect(verifyConsistency({ ...claim, path: path(proof) })).toBe(true)
    })
  })
})
