/** Verifies proofs exactly as RFC 9162 tells it (sections 2.1.3.2 and 2.1.4.2). Never throws; whatever is odd does not verify. */
import { nodeHash } from './merkle.js'

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
  if (!isCount(index) || !isCount(size) || index >= size || !areHashes([leafHash, root, ...path])) return false
  let [position, last, hash] = [index, size - 1, leafHash]
  for (const sibling of path) {
    if (last === 0) return false
    if (position % 2 === 1 || position === last) {
      hash = nodeHash(sibling, hash)
      while (position % 2 === 0 && position !== 0) [position, last] = [half(position), half(last)]
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

/** Holds when the second tree is the first one with leaves appended. From size 0 nothing is proven, so it does not hold. */
export function verifyConsistency({ fromSize, fromRoot, toSize, toRoot, path }: ConsistencyClaim): boolean {
  if (!isCount(fromSize) || !isCount(toSize) || fromSize < 1 || fromSize > toSize) return false
  if (!areHashes([fromRoot, toRoot, ...path])) return false
  if (fromSize === toSize) return path.length === 0 && areEqual(fromRoot, toRoot)
  const elements = isPowerOfTwo(fromSize) ? [fromRoot, ...path] : path
  const [first, ...others] = elements
  if (first === undefined) return false
  let [position, last] = [fromSize - 1, toSize - 1]
  while (position % 2 === 1) [position, last] = [half(position), half(last)]
  let [oldHash, newHash] = [first, first]
  for (const element of others) {
    if (last === 0) return false
    if (position % 2 === 1 || position === last) {
      oldHash = nodeHash(element, oldHash)
      newHash = nodeHash(element, newHash)
      while (position % 2 === 0 && position !== 0) [position, last] = [half(position), half(last)]
    } else {
      newHash = nodeHash(newHash, element)
    }
    ;[position, last] = [half(position), half(last)]
  }
  return last === 0 && areEqual(oldHash, fromRoot) && areEqual(newHash, toRoot)
}

const half = (count: number): number => Math.floor(count / 2)
const isCount = (count: number): boolean => Number.isSafeInteger(count) && count >= 0
const areHashes = (hashes: readonly Uint8Array[]): boolean => hashes.every((hash) => hash.length === 32)
const areEqual = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0

function isPowerOfTwo(size: number): boolean {
  let rest = size
  while (rest % 2 === 0) rest /= 2
  return rest === 1
}
