/**
 * Plays plans on an embedded SQLite. All writes that arrive in one turn of the event loop share one transaction, and so
 * one sync to disk: each plan under its own savepoint, none told of success before the commit. In a crowd a commit
 * waits a moment for those who were answered by the last one and are about to ask again
 * (docs/decisions/commits-wait-in-a-crowd.md).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine, WriteOutcome, StoragePlan, Rows } from '../sql/plan.js'
import type { SqliteConnection } from './connection.js'
import { schemaGuard } from './own-schema.js'

interface Job {
  /** Plays the plan; what it wrote shall stand or not. */
  readonly play: () => WriteOutcome<unknown>
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

/** A file that another process writes to is tried again after this time, and given up after that. */
const RETRY_MS = 20
const GIVE_UP_MS = 5_000

/** So many callers in one commit are a crowd. */
const CROWD = 16
const PATIENCE_MS = 1

export function sqliteEngine(connection: SqliteConnection): Engine {
  let waiting: Job[] = []
  let isCrowded = false
  let busySince: number | undefined
  const assertOwnSchema = schemaGuard(connection)
  // SQLite would wait for another process in its own way, and stop everything else that this process does.
  connection.control('pragma busy_timeout = 0')

  const flush = (patienceMs: number): void => {
    if (waiting.length === 0) return
    const error = failureToBegin(connection)
    busySince ??= performance.now()
    if (isLocked(error) && performance.now() - busySince < patienceMs)
      return void setTimeout(flush, RETRY_MS, patienceMs)
    const batch = waiting
    waiting = []
    busySince = undefined
    if (error === undefined) isCrowded = commitTogether(connection, batch, assertOwnSchema) >= CROWD
    else for (const job of batch) job.reject(error)
  }
  const flushSoon = (): void =>
    void (isCrowded ? setTimeout(flush, PATIENCE_MS, GIVE_UP_MS) : setImmediate(flush, GIVE_UP_MS))

  const write = <T>(plan: () => StoragePlan<WriteOutcome<T>>): Promise<T> =>
    new Promise((resolve, reject) => {
      let value: T
      const play = (): WriteOutcome<T> => {
        const outcome = playPlan(connection, plan)
        value = outcome.value
        return outcome
      }
      if (waiting.length === 0) flushSoon()
      waiting.push({ play, resolve: () => resolve(value), reject })
    })

  const read = async <T>(plan: () => StoragePlan<T>): Promise<T> => {
    for (const since = performance.now(); ; await sleep(RETRY_MS)) {
      try {
        return playPlan(connection, plan)
      } catch (error) {
        if (!isLocked(error) || performance.now() - since > GIVE_UP_MS) throw error
      }
    }
  }

  return {
    isShared: false,
    write,
    writeSingly: write,
    probe: write,
    // Whoever writes has looked: nobody else writes meanwhile.
    isTaken: () => false,
    read,
    search: read,
    close: async () => {
      connection.control(`pragma busy_timeout = ${GIVE_UP_MS}`)
      flush(0)
      connection.close()
    },
  }
}

function playPlan<T>(connection: SqliteConnection, plan: () => StoragePlan<T>): T {
  const playing = plan()
  let step = playing.next()
  while (step.done !== true) {
    const rows: Rows = connection.run(step.value)
    step = playing.next(rows)
  }
  return step.value
}

/** Begins a transaction that writes; the error where there is none. */
function failureToBegin(connection: SqliteConnection): unknown {
  try {
    connection.control('begin immediate')
    return undefined
  } catch (error) {
    // It may have begun all the same.
    rollBack(connection)
    return error
  }
}

const isLocked = (error: unknown): boolean => error instanceof Error && error.message.includes('database is locked')

/**
 * One transaction for all, which has begun; a plan that fails or undoes itself leaves the others alone. Gives how many callers it was
 * for.
 */
function commitTogether(connection: SqliteConnection, batch: readonly Job[], assertOwnSchema: () => void): number {
  const played: Job[] = []
  let callers = 0
  try {
    assertOwnSchema()
    for (const job of batch) {
      const outcome = playJob(connection, job)
      if (outcome === undefined) continue
      played.push(job)
      callers += outcome.callers
    }
    connection.control('commit')
  } catch (error) {
    rollBack(connection)
    for (const job of batch) job.reject(error)
    return 0
  }
  for (const job of played) job.resolve()
  return callers
}

/** Undefined when the plan failed and was told so; throws when SQLite has given up the whole transaction. */
function playJob(connection: SqliteConnection, job: Job): WriteOutcome<unknown> | undefined {
  connection.control('savepoint plan')
  try {
    const outcome = job.play()
    if (!outcome.stands) connection.control('rollback to plan')
    return outcome
  } catch (error) {
    connection.control('rollback to plan')
    job.reject(error)
    return undefined
  } finally {
    connection.control('release plan')
  }
}

function rollBack(connection: SqliteConnection): void {
  try {
    connection.control('rollback')
  } catch {
    // SQLite has rolled back by itself, or the connection is beyond help: the caller is told of the first error.
  }
}
