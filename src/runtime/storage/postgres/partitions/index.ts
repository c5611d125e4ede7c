/**
 * The entries of the trail in partitions by their sequence, which is the order of time, for the owner of the schema. A service works with and without
 * (docs/decisions/partitions.md).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { StorageUnavailable } from '../../contract.js'
import { keep, rows, type Engine, type StoragePlan, type WriteOutcome } from '../../sql/plan.js'
import { endAnnounced, factsNow, partitionsNow, type Partition } from './facts.js'
import { stepAfter, type PartitionStep } from './next-step.js'
import { announce, convert, cut, hold, NotPartitioned, PATIENCE, prove, takeBack } from './statements.js'

export { NotPartitioned, type Partition }

export interface Partitions {
  /** In their order; none where the entries are one table. */
  list(): Promise<readonly Partition[]>
  /**
   * Sees that the entries to come have a partition, while services run: one for each so many entries, a whole one ahead. Gives all of them. Rejects with `NotPartitioned`
   * where something stands against it.
   */
  extend(size: number): Promise<readonly Partition[]>
  /** The first sequence that has no place because the command was killed while it gave a partition its end; mostly undefined. */
  announced(): Promise<number | undefined>
  close(): Promise<void>
}

export const partitionsOver = (engine: Engine, lock: string): Partitions => ({
  list: () => engine.search(partitionsNow),
  extend: async (size) => {
    try {
      while ((await patiently(() => engine.write(() => advance(lock, size)))).does !== 'nothing');
    } catch (error) {
      await engine.write(() => undo(lock, size)).catch(() => undefined)
      throw error
    }
    return engine.search(partitionsNow)
  },
  announced: () => engine.search(endAnnounced),
  close: () => engine.close(),
})

/** Takes one step. What holds the table is decided anew when it is held. */
function* advance(lock: string, size: number): StoragePlan<WriteOutcome<PartitionStep>> {
  yield* begin(lock)
  const step = stepAfter(yield* factsNow(size))
  if (step.does !== 'convert' && step.does !== 'cut') return keep(yield* take(step))
  yield* hold()
  return keep(yield* take(stepAfter(yield* factsNow(size))))
}

function* begin(lock: string): StoragePlan<void> {
  yield* rows(lock)
  yield* rows(PATIENCE)
}

function* take(step: PartitionStep): StoragePlan<PartitionStep> {
  if (step.does === 'convert') yield* convert()
  if (step.does === 'announce') yield* announce(step.open, step.at)
  if (step.does === 'prove') yield* prove(step.open)
  if (step.does === 'cut') yield* cut(step.open, step.at)
  return step
}

/** An end that was announced, and is not made, would refuse entries once they reach it. */
function* undo(lock: string, size: number): StoragePlan<WriteOutcome<void>> {
  yield* begin(lock)
  const { open } = yield* factsNow(size)
  if (open?.ending !== undefined) yield* takeBack(open)
  return keep(undefined)
}

const LOCK_NOT_AVAILABLE = '55P03'
const ATTEMPTS = 60
const PAUSE_MS = 300

const isLocked = (error: unknown): boolean =>
  error instanceof StorageUnavailable &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  error.cause.code === LOCK_NOT_AVAILABLE

async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isLocked(error)) throw error
      if (attempt === ATTEMPTS) throw new NotPartitioned(BUSY)
    }
    await sleep(PAUSE_MS)
  }
}

const BUSY =
  'The entries are read or written without a pause, as by a backup, or others change the schema. Run it again afterwards.'
