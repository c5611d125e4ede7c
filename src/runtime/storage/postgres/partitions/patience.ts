/** Tries for a lock until it is free, so that nobody queues behind the one who waits for it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { StorageUnavailable } from '../../contract.js'
import { integer } from '../../sql/columns.js'
import { row, rows, type Engine, type StoragePlan, type WriteOutcome } from '../../sql/plan.js'
import { NotPartitioned } from './not-partitioned.js'
import { ADVICE, APPLICATION, blockersOf, patienceFor, PATIENCE_MS, type Blocked, type Obstacle } from './obstacles.js'

/** One attempt; its transaction fills in who it is. */
export interface LockAttempt {
  readonly patienceMs: number
  readonly signal: AbortSignal | undefined
  pid?: number
}

export interface Patience {
  readonly attempts: number
  /** Ends the attempts, and cancels what one has under way. */
  readonly signal?: AbortSignal
}

export type Work<T> = (attempt: LockAttempt) => StoragePlan<WriteOutcome<T>>

/** Said within an attempt: somebody holds the lock of migrations. */
export class MigrationLockHeld extends Error {
  override readonly name = 'MigrationLockHeld'
}

const PAUSE_MS = 300
/** An autovacuum that did not give way is not waited for at each attempt. */
const BETWEEN_LONG_ATTEMPTS = 10

const LOCK_REFUSED = ['55P03', '40P01']

export const isRefused = (error: unknown): boolean =>
  error instanceof MigrationLockHeld ||
  (error instanceof StorageUnavailable &&
    error.cause instanceof Error &&
    'code' in error.cause &&
    LOCK_REFUSED.includes(String(error.cause.code)))

/** Rejects with `NotPartitioned` where every attempt was refused; `isRefusal` says which errors are worth another one. */
export async function patiently<T>(
  engine: Engine,
  { attempts, signal }: Patience,
  work: Work<T>,
  isRefusal: (error: unknown) => boolean = isRefused,
): Promise<T> {
  let obstacle: Obstacle | undefined
  let [patienceMs, lastLong] = [PATIENCE_MS, -BETWEEN_LONG_ATTEMPTS]
  for (let made = 1; ; made++) {
    signal?.throwIfAborted()
    const outcome = await attempted(engine, { patienceMs, signal }, work)
    if ('value' in outcome) return outcome.value
    if (!isRefusal(outcome.error)) throw outcome.error
    obstacle = obstacleOf(outcome) ?? obstacle
    if (made >= attempts) throw isRefused(outcome.error) ? refused(obstacle ?? 'other') : outcome.error
    patienceMs = made - lastLong >= BETWEEN_LONG_ATTEMPTS ? patienceFor(outcome.blocked) : PATIENCE_MS
    if (patienceMs > PATIENCE_MS) lastLong = made
    await pause(PAUSE_MS, signal)
  }
}

const refused = (obstacle: Obstacle): NotPartitioned => new NotPartitioned(ADVICE[obstacle], obstacle)

interface Failed {
  readonly error: unknown
  readonly blocked: Blocked
}

const obstacleOf = ({ error, blocked }: Failed): Obstacle | undefined =>
  error instanceof MigrationLockHeld ? 'svc migrate' : blocked.by.toSorted(byWeight)[0]

const WEIGHT: readonly Obstacle[] = ['svc migrate', 'other', 'vacuum', 'autovacuum']
const byWeight = (one: Obstacle, other: Obstacle): number => WEIGHT.indexOf(one) - WEIGHT.indexOf(other)

async function attempted<T>(
  engine: Engine,
  attempt: LockAttempt,
  work: Work<T>,
): Promise<{ readonly value: T } | Failed> {
  const over = new AbortController()
  const blocked = whoBlocks(engine, attempt, over.signal)
  const cancelling = cancelWhenAborted(engine, attempt, over.signal)
  try {
    return { value: await engine.write(() => work(attempt)) }
  } catch (error) {
    over.abort()
    return { error, blocked: await blocked }
  } finally {
    over.abort()
    await cancelling
  }
}

const NOBODY: Blocked = { by: [], deadlockMs: 0 }
/** Those who were at work when the lock was asked for have gone by then; the next ones queue. */
const LOOK_AFTER_MS = 100
const BEGUN_MS = 10

async function whoBlocks(engine: Engine, attempt: LockAttempt, over: AbortSignal): Promise<Blocked> {
  while (attempt.pid === undefined && !over.aborted) await pause(BEGUN_MS, over)
  await pause(LOOK_AFTER_MS, over)
  const { pid } = attempt
  return over.aborted || pid === undefined ? NOBODY : engine.search(() => blockersOf(pid)).catch(() => NOBODY)
}

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  sleep(ms, undefined, signal && { signal }).catch(() => undefined)

const AGAIN_MS = 50

/** A cancellation between two statements is lost, so it is sent until the attempt is over. */
async function cancelWhenAborted(engine: Engine, attempt: LockAttempt, over: AbortSignal): Promise<void> {
  const { signal } = attempt
  if (signal === undefined) return
  await aborted(AbortSignal.any([signal, over]))
  while (!over.aborted) {
    await engine.search(() => cancel(attempt)).catch(() => undefined)
    await pause(AGAIN_MS, over)
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** By its name, too: behind a pooler the connection may serve somebody else a moment later. */
const CANCEL = `
  select pg_cancel_backend(pid) from pg_stat_activity where pid = cast(? as int) and application_name = '${APPLICATION}'`

function* cancel({ pid }: LockAttempt): StoragePlan<void> {
  if (pid !== undefined) yield* rows(CANCEL, pid)
}

/** Begins a transaction of an attempt. */
export function* beginAttempt(attempt: LockAttempt): StoragePlan<void> {
  yield* rows(`set local application_name = '${APPLICATION}'`)
  attempt.pid = integer((yield* row('select pg_backend_pid() as pid'))!, 'pid')
  attempt.signal?.throwIfAborted()
  yield* waitAtMost(PATIENCE_MS)
}

/** How long each lock that follows may be waited for. */
export function* waitAtMost(ms: number): StoragePlan<void> {
  yield* rows(`select set_config('lock_timeout', ?, true)`, String(ms))
}
