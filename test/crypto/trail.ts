import { canonicalText } from '../../src/crypto/json/canonical.js'
import { signCheckpoint } from '../../src/crypto/merkle/checkpoint.js'
import { formatHash } from '../../src/crypto/json/digest.js'
import { generateRingKey } from '../../src/crypto/keys/key-ring.js'
import { appendLeaves, frontierNodes, leafHash, rootOf, type TreeNodeId } from '../../src/crypto/merkle/merkle.js'
import {
  nodesOf,
  proofPathOf,
  planConsistency,
  planInclusion,
  type ProofPlan,
} from '../../src/crypto/merkle/merkle-proof.js'
import type { Checkpoint } from '../../src/protocol/audit.js'

export const KEY = generateRingKey('audit', 'active')
export const FOREIGN = generateRingKey('audit', 'active')

/** A trail of entries that say nothing but their sequence, unless something is given, and the proofs of it. */
export function trailOf(size: number, note = 'x', contents: readonly object[] = []) {
  const entries = Array.from({ length: size }, (_, index) => ({ sequence: index + 1, note, ...contents[index] }))
  const leaves = entries.map((entry) => canonicalText(entry))
  const { nodes } = appendLeaves([], 0, leaves.map(leafHash))
  const stored = new Map(nodes.map(({ level, index, hash }) => [`${level}/${index}`, hash]))
  const fetched = (ids: readonly TreeNodeId[]) => ids.map(({ level, index }) => stored.get(`${level}/${index}`)!)
  const path = (plan: ProofPlan) => proofPathOf(plan, fetched(nodesOf(plan))).map(formatHash)
  const rootAt = (count: number) => formatHash(rootOf(fetched(frontierNodes(count))))
  const head = (sequence: number, entry_count: number): Omit<Checkpoint, 'signature'> => ({
    checkpoint_id: `ckp_${sequence}`,
    sequence,
    merkle_root: rootAt(entry_count),
    entry_count,
    created_at: '2030-01-01T00:00:00.000Z',
  })
  return {
    entries,
    leaves,
    rootAt,
    leafHashes: leaves.map((leaf) => formatHash(leafHash(leaf))),
    inclusion: (index: number, count: number) => path(planInclusion(index, count)),
    consistency: (from: number, to: number) => (from === 0 ? [] : path(planConsistency(from, to))),
    checkpoint: (sequence: number, entry_count: number, key = KEY) =>
      signCheckpoint(key.signer!, head(sequence, entry_count)),
  }
}
