/** The Merkle tree of RFC 9162, section 2.1, kept as the hashes of its perfect subtrees: appending and proving never read the log. */
import { createHash } from 'node:crypto'

export type Hash = Uint8Array

/** A perfect subtree: level 0 are leaves, `index` counts subtrees of that level from the left. */
export interface NodeId {
  readonly level: number
  readonly index: number
}

export interface MerkleNode extends NodeId {
  readonly hash: Hash
}

const LEAF = Uint8Array.of(0)
const NODE = Uint8Array.of(1)

/** H(0x00 ‖ entry). */
export const leafHash = (entry: Uint8Array | string): Hash => createHash('sha256').update(LEAF).update(entry).digest()

/** H(0x01 ‖ left ‖ right). */
export const nodeHash = (left: Hash, right: Hash): Hash =>
  createHash('sha256').update(NODE).update(left).update(right).digest()

/** The root of no leaves. */
export const EMPTY_ROOT: Hash = createHash('sha256').digest()

/** The perfect subtrees that cover the first `size` leaves, largest first: the frontier of the tree. */
export function frontierNodes(size: number): readonly NodeId[] {
  const nodes: NodeId[] = []
  for (let level = Math.floor(Math.log2(Math.max(size, 1))), start = 0; level >= 0; level--) {
    const width = 2 ** level
    if (size - start < width) continue
    nodes.push({ level, index: start / width })
    start += width
  }
  return nodes
}

/** Appends leaf hashes to a tree of `size` leaves with this frontier; gives the new frontier and every new perfect subtree. */
export function appendLeaves(
  frontier: readonly Hash[],
  size: number,
  leaves: readonly Hash[],
): { readonly frontier: readonly Hash[]; readonly nodes: readonly MerkleNode[] } {
  const hashes = [...frontier]
  const nodes: MerkleNode[] = []
  leaves.forEach((leaf, offset) => {
    let index = size + offset
    let hash = leaf
    nodes.push({ level: 0, index, hash })
    for (let level = 1; index % 2 === 1; level++) {
      hash = nodeHash(hashes.pop()!, hash)
      index = (index - 1) / 2
      nodes.push({ level, index, hash })
    }
    hashes.push(hash)
  })
  return { frontier: hashes, nodes }
}

/** The root over a frontier. */
export const rootOf = (frontier: readonly Hash[]): Hash =>
  frontier.length === 0 ? EMPTY_ROOT : frontier.reduceRight((right, left) => nodeHash(left, right))

/** Fetches the hashes of perfect subtrees, in the order asked. */
export type NodeReader = (ids: readonly NodeId[]) => Promise<readonly Hash[]>

/** The root over the first `size` leaves, from stored subtrees. */
export const rootAt = async (size: number, read: NodeReader): Promise<Hash> => rootOf(await read(frontierNodes(size)))

/** A range of leaves [start, end) whose hash a proof contains, given as the perfect subtrees that cover it. */
type Span = readonly NodeId[]

/** The inclusion proof of a leaf in the tree of `size` leaves (RFC 9162, section 2.1.3.1). Throws a `RangeError` outside it. */
export async function inclusionPath(index: number, size: number, read: NodeReader): Promise<readonly Hash[]> {
  if (!isIndex(index, size)) throw new RangeError(`There is no leaf ${index} in a tree of ${size}.`)
  return readSpans(inclusionSpans(index, 0, size), read)
}

/** The consistency proof from the tree of `from` leaves to that of `to` (RFC 9162, section 2.1.4.1). */
export async function consistencyPath(from: number, to: number, read: NodeReader): Promise<readonly Hash[]> {
  if (from < 1 || from > to || !Number.isSafeInteger(to))
    throw new RangeError(`There is no proof from ${from} to ${to} leaves.`)
  return from === to ? [] : readSpans(consistencySpans(from, 0, to, true), read)
}

function inclusionSpans(index: number, start: number, end: number): readonly Span[] {
  if (end - start === 1) return []
  const middle = start + largestPowerBelow(end - start)
  return index < middle
    ? [...inclusionSpans(index, start, middle), cover(middle, end)]
    : [...inclusionSpans(index, middle, end), cover(start, middle)]
}

function consistencySpans(from: number, start: number, end: number, whole: boolean): readonly Span[] {
  if (from === end) return whole ? [] : [cover(start, end)]
  const middle = start + largestPowerBelow(end - start)
  return from <= middle
    ? [...consistencySpans(from, start, middle, whole), cover(middle, end)]
    : [...consistencySpans(from, middle, end, false), cover(start, middle)]
}

/** The perfect subtrees that cover [start, end), where start is a multiple of the largest. */
const cover = (start: number, end: number): Span =>
  frontierNodes(end - start).map(({ level, index }) => ({ level, index: index + start / 2 ** level }))

async function readSpans(spans: readonly Span[], read: NodeReader): Promise<readonly Hash[]> {
  const hashes = await read(spans.flat())
  let position = 0
  return spans.map((span) => rootOf(hashes.slice(position, (position += span.length))))
}

const largestPowerBelow = (size: number): number => 2 ** Math.ceil(Math.log2(size) - 1)
const isIndex = (index: number, size: number): boolean => Number.isSafeInteger(index) && index >= 0 && index < size
