/**
 * Where Merkle nodes lie. The perfect subtree (level, index) is complete with entry (index + 1) · 2^level, so its hash
 * lies in that entry's row, after those of the levels below it: appending touches no other place, and a proof reads
 * rows by their key.
 */
import type { NodeId } from '../contract.js'

const HASH_BYTES = 32

export interface StoredTreeNode extends NodeId {
  readonly hash: Uint8Array
}

/** The entry whose row holds a node. */
export const sequenceHolding = ({ level, index }: NodeId): number => (index + 1) * 2 ** level

export const hashAt = (hashes: Uint8Array, level: number): Uint8Array =>
  hashes.slice(level * HASH_BYTES, (level + 1) * HASH_BYTES)

/**
 * The `hashes` column of each new entry, in order: its leaf, then every subtree that it completes, from the lowest
 * level up.
 */
export function hashColumns(
  size: number,
  leaves: readonly Uint8Array[],
  nodes: readonly StoredTreeNode[],
): readonly Uint8Array[] {
  const columns = leaves.map((leaf) => [leaf])
  for (const node of nodes) {
    if (node.level > 0) columns[sequenceHolding(node) - size - 1]![node.level] = node.hash
  }
  return columns.map(concatenated)
}

/** A frontier is kept as its hashes, one after the other. */
export const frontierOf = (packed: Uint8Array): readonly Uint8Array[] =>
  Array.from({ length: packed.length / HASH_BYTES }, (_, index) => hashAt(packed, index))

/** One after the other; out of Node's pool of memory, because an array of its own costs more than the hash in it. */
export const concatenated = (hashes: readonly Uint8Array[]): Uint8Array =>
  hashes.length === 1 ? hashes[0]! : Buffer.concat(hashes)
