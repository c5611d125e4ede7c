/** Verifies Merkle proofs with nothing but hashes, step by step as RFC 9162 writes it. */
import { nodeHash, type Hash } from './merkle.js'

/** Says whether the path leads from the leaf to the root (RFC 9162, section 2.1.3.2). */
export function verifyInclusion(proof: {
  readonly leafHash: Hash
  readonly index: number
  readonly size: number
  readonly path: readonly Hash[]
  readonly root: Hash
}): boolean {
  const { index, size, path, root } = proof
  if (!isCount(index) || !isCount(size) || index >= size) return false
  let [position, last, hash] = [BigInt(index), BigInt(size) - 1n, proof.leafHash]
  for (const sibling of path) {
    if (last === 0n) return false
    if (isOdd(position) || position === last) {
      hash = nodeHash(sibling, hash)
      while (!isOdd(position) && position !== 0n) [position, last] = [position >> 1n, last >> 1n]
    } else hash = nodeHash(hash, sibling)
    ;[position, last] = [position >> 1n, last >> 1n]
  }
  return last === 0n && equal(hash, root)
}

/** Says whether the path leads from the older root to the newer (RFC 9162, section 2.1.4.2). A proof from nothing is refused. */
export function verifyConsistency(proof: {
  readonly from: number
  readonly to: number
  readonly path: readonly Hash[]
  readonly fromRoot: Hash
  readonly toRoot: Hash
}): boolean {
  const { from, to, fromRoot, toRoot } = proof
  if (!isCount(from) || !isCount(to) || from === 0 || from > to) return false
  if (from === to) return proof.path.length === 0 && equal(fromRoot, toRoot)
  const path = Number.isInteger(Math.log2(from)) ? [fromRoot, ...proof.path] : proof.path
  const [first, ...rest] = path
  return first !== undefined && climb(BigInt(from) - 1n, BigInt(to) - 1n, first, rest, fromRoot, toRoot)
}

function climb(from: bigint, to: bigint, first: Hash, path: readonly Hash[], fromRoot: Hash, toRoot: Hash): boolean {
  let [position, last, older, newer] = [from, to, first, first]
  while (isOdd(position)) [position, last] = [position >> 1n, last >> 1n]
  for (const sibling of path) {
    if (last === 0n) return false
    if (isOdd(position) || position === last) {
      ;[older, newer] = [nodeHash(sibling, older), nodeHash(sibling, newer)]
      while (!isOdd(position) && position !== 0n) [position, last] = [position >> 1n, last >> 1n]
    } else newer = nodeHash(newer, sibling)
    ;[position, last] = [position >> 1n, last >> 1n]
  }
  return last === 0n && equal(older, fromRoot) && equal(newer, toRoot)
}

const isOdd = (value: bigint): boolean => (value & 1n) === 1n
const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0
const equal = (one: Hash, other: Hash): boolean => Buffer.from(one).equals(other)
