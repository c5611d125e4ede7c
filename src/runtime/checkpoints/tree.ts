import { frontierNodes, rootOf } from '../../crypto/merkle/merkle.js'
import {
  nodesOf,
  proofPathOf,
  planConsistency,
  planInclusion,
  type ProofPlan,
} from '../../crypto/merkle/merkle-proof.js'
import type { AuditLog } from '../storage/contract.js'

/** The part of the trail that proofs are made from: stored subtrees, never entries. */
export type Tree = Pick<AuditLog, 'size' | 'nodes'>

/** The root of the first `size` entries: one read of O(log n) subtrees. */
export const rootAt = async (tree: Tree, size: number): Promise<Uint8Array> =>
  rootOf(await tree.nodes(frontierNodes(size)))

/** The leaf hash of an entry and its path to the root at `size`, in one read. */
export async function inclusionPath(
  tree: Tree,
  index: number,
  size: number,
): Promise<{ readonly leafHash: Uint8Array; readonly path: readonly Uint8Array[] }> {
  const [leafHash, ...path] = await pathFor(tree, [[{ level: 0, index }], ...planInclusion(index, size)])
  return { leafHash: leafHash!, path }
}

/** The proof that the tree of one size begins with that of another, in one read. */
export const consistencyPath = (tree: Tree, from: number, to: number): Promise<readonly Uint8Array[]> =>
  pathFor(tree, planConsistency(from, to))

const pathFor = async (tree: Tree, plan: ProofPlan): Promise<readonly Uint8Array[]> =>
  proofPathOf(plan, await tree.nodes(nodesOf(plan)))
