/** What is to be done next so that the entries to come have a partition: a pure decision. */

/** The last partition, which has no end: nothing can fail for want of a partition. */
export interface OpenPartition {
  readonly name: string
  /** The sequence from which on entries belong to it. */
  readonly from: number
  /** The end that it is to have, and whether PostgreSQL has read that no entry lies beyond. */
  readonly ending?: { readonly at: number; readonly isProved: boolean }
}

/** The entries as they are stored now. */
export interface PartitionFacts {
  /** Absent where the entries are one table. */
  readonly open?: OpenPartition
  /** How many entries there are. */
  readonly head: number
  /** How many entries a partition takes. */
  readonly size: number
}

export type PartitionStep =
  | { readonly does: 'nothing' }
  | { readonly does: 'convert' }
  | { readonly does: 'prove'; readonly open: OpenPartition }
  | { readonly does: 'announce' | 'cut'; readonly open: OpenPartition; readonly at: number }

/** So many entries are read in a few milliseconds, while the table is held. */
const READ_AT_ONCE = 10_000

/**
 * The one under way and an empty one in reserve are enough. A partition with many entries is read before it gets an end, while others append: the end is
 * announced first, further away than they get meanwhile.
 */
export function stepAfter({ open, head, size }: PartitionFacts): PartitionStep {
  if (open === undefined) return { does: 'convert' }
  if (open.ending?.isProved === false) return { does: 'prove', open }
  if (open.ending !== undefined) return { does: 'cut', open, at: open.ending.at }
  if (open.from >= endAfter(head, size) + size) return { does: 'nothing' }
  const entries = head - open.from + 1
  if (entries > READ_AT_ONCE) return { does: 'announce', open, at: endAfter(head + Math.max(entries, size), size) }
  return { does: 'cut', open, at: endAfter(Math.max(head, open.from - 1), size) }
}

/** Where the partition ends that takes the entry after this one: the first sequence of the next. */
const endAfter = (sequence: number, size: number): number => (Math.floor(sequence / size) + 1) * size + 1
