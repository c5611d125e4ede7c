/**
 * Verifies proofs as RFC 9162 tells it (sections 2.1.3.2 and 2.1.4.2). Never throws; whatever is odd does not verify.
 */
import { emptyRoot, nodeHash } from './merkle.js'

export interface InclusionClaim {
  readonly leafHash: Uint8Array
  /** From 0. */
  readonly index: number
  readonly size: number
  readonly path: readonly Uint8Array[]
  readonly root: Uint8Array
}

/** Holds when the leaf is at the index of the tree with this size and root. */
export function verifyInclusion({ leafHash, index, size, path, root }: InclusionClaim): boolean {
  if (!isCount(index) || !isCount(size) || index >= size || !areHashes([leafHash, ...path])) return false
  let [position, last, hash] = [index, size - 1, leafHash]
  for (const sibling of path) {
    if (last === 0) return false
    if (position % 2 === 1 || position === last) {
      hash = nodeHash(sibling, hash)
      // An even position is the last one here, so it is not 0: this ends.
      while (position % 2 === 0) [position, last] = [half(position), half(last)]
    } else {
      hash = nodeHash(hash, sibling)
    }
    ;[position, last] = [half(position), half(last)]
  }
  return last === 0 && areEqual(hash, root)
}

export interface ConsistencyClaim {
  readonly fromSize: number
  readonly fromRoot: Uint8Array
  readonly toSize: number
  readonly toRoot: Uint8Array
  readonly path: readonly Uint8Array[]
}

/**
 * Holds when the second tree is the first one with leaves appended. From size 0 nothing is proven, so it does not hold.
 */
export const verifyConsistency = ({ fromSize, fromRoot, toSize, toRoot, path }: ConsistencyClaim): boolean =>
  fromSize > 0 &&
  verifySubtreeConsistency({ start: 0, end: fromSize, subtreeRoot: fromRoot, size: toSize, root: toRoot, path })

export interface SubtreeConsistencyClaim {
  readonly start: number
  readonly end: number
  readonly subtreeRoot: Uint8Array
  readonly size: number
  readonly root: Uint8Array
  readonly path: readonly Uint8Array[]
}

/**
 * Holds when the leaves from `start` up to `end` have this root and stand there in the tree (the generalisation in
 * draft-ietf-plants-merkle-tree-certs, section 4.4.3; with `start` 0 it is RFC 9162). An empty
 * subtree stands in every tree.
 */
export function verifySubtreeConsistency({
  start,
  end,
  subtreeRoot,
  size,
  root,
  path,
}: SubtreeConsistencyClaim): boolean {
  if (!isSubtree(start, end) || !isCount(size) || end > size || !areHashes(path)) return false
  if (path.length > 0 && !areHashes([subtreeRoot])) return false
  if (start === end) return path.length === 0 && areEqual(subtreeRoot, emptyRoot())
  let [first, final, last] = [start, end - 1, size - 1]
  while (first !== final && (final === last || final % 2 === 1))
    [first, final, last] = [half(first), half(final), half(last)]
  // Where an element is missing, `last` is not 0, so that nothing holds.
  const [seed = subtreeRoot, ...others] = first === final ? [subtreeRoot, ...path] : path
  let [subtree, tree] = [seed, seed]
  for (const element of others) {
    if (last === 0) return false
    if (final % 2 === 1 || final === last) {
      if (first < final) subtree = nodeHash(element, subtree)
      tree = nodeHash(element, tree)
      while (final % 2 === 0) [first, final, last] = [half(first), half(final), half(last)]
    } else {
      tree = nodeHash(tree, element)
    }
    ;[first, final, last] = [half(first), half(final), half(last)]
  }
  return last === 0 && areEqual(subtree, subtreeRoot) && areEqual(tree, root)
}

export interface SubtreeInclusionClaim extends Omit<InclusionClaim, 'size'> {
  readonly start: number
  readonly end: number
}

/** Holds when the leaf is at the index (counted in the whole tree) of the subtree from `start` up to `end`. */
export const verifySubtreeInclusion = ({ start, end, index, ...claim }: SubtreeInclusionClaim): boolean =>
  isSubtree(start, end) && verifyInclusion({ ...claim, index: index - start, size: end - start })

/** A subtree begins at a multiple of the smallest power of two that is not below its size. */
function isSubtree(start: number, end: number): boolean {
  if (!isCount(start) || !isCount(end) || start > end) return false
  let width = 1
  while (width < end - start) width *= 2
  return start % width === 0
}

const half = (count: number): number => Math.floor(count / 2)
const isCount = (count: number): boolean => Number.isSafeInteger(count) && count >= 0
const areHashes = (hashes: readonly Uint8Array[]): boolean => hashes.every((hash) => hash.length === 32)
const areEqual = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0
