/**
 * Plays plans on an embedded SQLite. All writes that arrive in one turn of the event loop share one transaction, and so one
 * sync to disk: each plan under its own savepoint, none told of success before the commit.
 */
import type { Engine, Outcome, Plan, Rows } from '../sql/plan.js'
import type { Connection } from './connection.js'

interface Job {
  /** Plays the plan; true if what it wrote shall stand. */
  readonly play: () => boolean
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

export function sqliteEngine(connection: Connection): Engine {
  let waiting: Job[] = []

  const flush = (): void => {
    const batch = waiting
    waiting = []
    if (batch.length > 0) commitTogether(connection, batch)
  }

  const write = <T>(plan: () => Plan<Outcome<T>>): Promise<T> =>
    new Promise((resolve, reject) => {
      let value: T
      const play = (): boolean => {
        const outcome = playPlan(connection, plan)
        value = outcome.value
        return outcome.stands
      }
      if (waiting.length === 0) setImmediate(flush)
      waiting.push({ play, resolve: () => resolve(value), reject })
    })

  const read = async <T>(plan: () => Plan<T>): Promise<T> => playPlan(connection, plan)

  return {
    isShared: false,
    write,
    writeSingly: write,
    read,
    search: read,
    close: async () => {
      flush()
      connection.close()
    },
  }
}

function playPlan<T>(connection: Connection, plan: () => Plan<T>): T {
  const playing = plan()
  let step = playing.next()
  while (step.done !== true) {
    const rows: Rows = connection.run(step.value)
    step = playing.next(rows)
  }
  return step.value
}

/** One transaction for all; a plan that fails or undoes itself leaves the others alone. */
function commitTogether(connection: Connection, batch: readonly Job[]): void {
  const played: Job[] = []
  try {
    connection.control('begin immediate')
    for (const job of batch) if (playJob(connection, job)) played.push(job)
    connection.control('commit')
  } catch (error) {
    rollBack(connection)
    for (const job of batch) job.reject(error)
    return
  }
  for (const job of played) job.resolve()
}

/** False when the plan failed and was told so; throws when SQLite has given up the whole transaction. */
function playJob(connection: Connection, job: Job): boolean {
  connection.control('savepoint plan')
  try {
    if (!job.play()) connection.control('rollback to plan')
  } catch (error) {
    connection.control('rollback to plan')
    job.reject(error)
    return false
  } finally {
    connection.control('release plan')
  }
  return true
}

function rollBack(connection: Connection): void {
  try {
    connection.control('rollback')
  } catch {
    // SQLite has rolled back by itself, or the connection is beyond help: the caller is told of the first error.
  }
}
