/**
 * The Merkle tree of RFC 9162, section 2.1, kept incrementally. A frontier holds the roots of the perfect subtrees of a
 * tree, the largest first; with it appending is O(log n). Node (level, index) is the perfect subtree over the leaves
 * from index · 2^level on; level 0 are leaf hashes. Only perfect subtrees are stored, and they never change.
 */
import { sha256 } from '../json/digest.js'

/** A perfect subtree. */
export interface TreeNodeId {
  readonly level: number
  readonly index: number
}

/** A perfect subtree with its hash, 32 bytes. */
export interface TreeNode extends TreeNodeId {
  readonly hash: Uint8Array
}

/** The hash of a leaf: SHA-256(0x00 ‖ text). */
export const leafHash = (leaf: string | Uint8Array): Uint8Array =>
  sha256(typeof leaf === 'string' ? `\0${leaf}` : Buffer.concat([Uint8Array.of(0), leaf]))

/** One pair is hashed at a time, so that all can use the same 65 bytes. */
const pair = Buffer.alloc(65, 1)

/** The hash of a node: SHA-256(0x01 ‖ left ‖ right); each side has 32 bytes. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  pair.set(left, 1)
  pair.set(right, 33)
  return sha256(pair)
}

/** The root of the empty tree: SHA-256 of nothing. */
export const emptyRoot = (): Uint8Array => sha256('')

/**
 * Appends leaf hashes to a tree of the given size. Gives the new frontier and every perfect subtree that became
 * complete, the leaves included, in the order in which they did.
 */
export function appendLeaves(
  frontier: readonly Uint8Array[],
  size: number,
  leaves: readonly Uint8Array[],
): { readonly frontier: readonly Uint8Array[]; readonly nodes: readonly TreeNode[] } {
  const roots = [...frontier]
  const nodes: TreeNode[] = []
  leaves.forEach((leaf, offset) => {
    let node: TreeNode = { level: 0, index: size + offset, hash: leaf }
    nodes.push(node)
    // A node with an odd index completes its parent.
    while (node.index % 2 === 1) {
      node = { level: node.level + 1, index: (node.index - 1) / 2, hash: nodeHash(roots.pop()!, node.hash) }
      nodes.push(node)
    }
    roots.push(node.hash)
  })
  return { frontier: roots, nodes }
}

/** The root of the tree that has this frontier: its subtrees folded from the right. */
export const rootOf = (frontier: readonly Uint8Array[]): Uint8Array =>
  frontier.length === 0 ? emptyRoot() : frontier.reduceRight((right, left) => nodeHash(left, right))

/** The largest power of two below a size of two or more (RFC 9162, section 2.1.1). */
export function splitOf(size: number): number {
  let power = 1
  while (power * 2 < size) power *= 2
  return power
}

/**
 * The stored subtrees, the largest first, that together are the leaves from `start` up to `end`, as the tree splits
 * them.
 */
export function perfectNodes(start: number, end: number): readonly TreeNodeId[] {
  const nodes: TreeNodeId[] = []
  for (let at = start; at < end;) {
    let [level, width] = [0, 1]
    while (width * 2 <= end - at) [level, width] = [level + 1, width * 2]
    nodes.push({ level, index: at / width })
    at += width
  }
  return nodes
}

/** The stored subtrees that are the frontier of a tree of this size. */
export const frontierNodes = (size: number): readonly TreeNodeId[] => perfectNodes(0, size)
