/**
 * The entries of the trail in partitions by their sequence, which is the order of time, for the owner of the schema. A service works with and without
 * (docs/decisions/partitions.md).
 */
import type { Engine } from '../../sql/plan.js'
import { endAnnounced, partitionsNow, type Partition } from './facts.js'
import { NotPartitioned } from './not-partitioned.js'
import { extend } from './run.js'

export { NotPartitioned, type Partition }

export interface Partitions {
  /** In their order; none where the entries are one table. */
  list(): Promise<readonly Partition[]>
  /**
   * Sees that the entries to come have a partition, while services run: one for each so many entries, and an empty one in reserve. Gives all of them. Rejects with
   * `NotPartitioned` where something stands against it, or the signal came first, and takes back what is half done.
   */
  extend(size: number, signal?: AbortSignal): Promise<readonly Partition[]>
  /** The first sequence that has no place because the command was killed while it gave a partition its end; mostly undefined. */
  announced(): Promise<number | undefined>
  close(): Promise<void>
}

/** Half a minute, and a quarter of a second for each. */
export const ATTEMPTS = 60

export const partitionsOver = (engine: Engine, tryLock: string, attempts = ATTEMPTS): Partitions => ({
  list: () => engine.search(partitionsNow),
  extend: (size, signal) => extend({ engine, tryLock, size, patience: { attempts, ...(signal && { signal }) } }),
  announced: () => engine.search(endAnnounced),
  close: () => engine.close(),
})
