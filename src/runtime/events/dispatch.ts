/** Sends what waits in the outbox: for each target, one replica at a time (decisions, section 13). */
import { PROCESS_TIME, type ProcessTime } from '../telemetry/process-time.js'
import { pauseAfter } from './back-off.js'
import { deliverBatch, MOST_REFUSED, type Batch } from './deliver.js'
import type { Deliverer } from './reporter.js'
import type { NotifyTarget } from './targets/target.js'

const EVERY_MS = 1_000
const BATCH = 50
/** Leases outlast a batch: it is short, and each delivery ends within 10 s. */
const LEASES = 3

/** Starts to deliver, and gives the way to end it: what is under way ends or is tried again by the next process. */
export function startDelivery(service: Deliverer, time: ProcessTime = PROCESS_TIME): () => Promise<void> {
  const stopping = new AbortController()
  const rounds = service.notify.map((target) => repeatRound(service, target, stopping.signal, time))
  return async () => {
    stopping.abort()
    await Promise.all(rounds.map((stop) => stop()))
  }
}

/** A target as this process has found it. */
interface Health {
  /** Failures in a row. */
  failures: number
  /** ms since the epoch until which it is left alone. */
  pausedUntil: number
  /** Events that it has refused since it took one. */
  readonly refused: Set<number>
}

const newHealth = (): Health => ({ failures: 0, pausedUntil: 0, refused: new Set() })

function repeatRound(
  service: Deliverer,
  target: NotifyTarget,
  signal: AbortSignal,
  time: ProcessTime,
): () => Promise<void> {
  const health = newHealth()
  let running: Promise<void> | undefined
  const round = (): Promise<void> => {
    running ??= deliverDue(service, target, health, signal)
      .catch((error: unknown) =>
        service.log.warn('Events could not be delivered.', { target: target.name, error: String(error) }),
      )
      .finally(() => (running = undefined))
    return running
  }
  const stop = time.every(round, EVERY_MS)
  void round()
  return async () => {
    stop()
    await running
    await service.storage.leases.release(leaseOf(target), service.owner).catch(() => undefined)
  }
}

const leaseOf = ({ name }: NotifyTarget): string => `events:${name}`

/** Delivers until nothing is due, the target fails, or another replica holds the lease. */
export async function deliverDue(
  service: Deliverer,
  target: NotifyTarget,
  health: Health = newHealth(),
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  while (!signal.aborted && health.pausedUntil <= service.now() && (await holdLease(service, target))) {
    // What failed last is probed with one event, whichever is due first.
    const due = await service.storage.outbox.due(target.name, health.failures > 0 ? 1 : BATCH)
    if (due.length === 0) return
    const batch = await deliverBatch(service, target, due, signal)
    if (batch.gone > 0) reportDead(service, target, batch.gone)
    if (signal.aborted) return
    await noteBatch(service, target, health, batch)
  }
}

async function holdLease({ storage, owner, limits }: Deliverer, target: NotifyTarget): Promise<boolean> {
  const ttl = limits.leaseMs * LEASES
  const key = leaseOf(target)
  return (await storage.leases.renew(key, owner, ttl)) || storage.leases.acquire(key, owner, ttl)
}

/** A target that refuses one event takes the next; one that refuses several and takes none is failing. */
async function noteBatch(
  service: Deliverer,
  target: NotifyTarget,
  health: Health,
  { delivered, error, refused, gone }: Batch,
): Promise<void> {
  if (delivered > 0) health.refused.clear()
  for (const { due } of refused) health.refused.add(due.sequence)
  const failed = error ?? (health.refused.size < MOST_REFUSED ? undefined : refused[0]?.error)
  if (failed !== undefined) return noteFailure(service, target, health, failed)
  for (const { due, error: reason } of refused) if (due.attempts === 0) logFailure(service, target, reason, due.eventId)
  if (delivered > 0 || gone > 0) await noteSuccess(service, target, health)
}

function logFailure({ log }: Deliverer, { name }: NotifyTarget, error: string, event: string): void {
  log.warn('An event could not be delivered, and will be tried again.', { target: name, error, event })
}

async function noteSuccess({ log, storage }: Deliverer, { name }: NotifyTarget, health: Health): Promise<void> {
  if (health.failures === 0) return
  log.info('Events are delivered again.', { target: name })
  health.failures = 0
  await storage.outbox.hasten(name)
}

function noteFailure({ log, now }: Deliverer, { name }: NotifyTarget, health: Health, error: string): void {
  health.failures += 1
  health.pausedUntil = now() + pauseAfter(health.failures)
  if (health.failures === 1)
    log.warn('An event could not be delivered, and will be tried again.', { target: name, error })
}

/** 72 h, and so many events, wait for one target. */
const MOST_MS = 72 * 3_600_000
const MOST_WAITING = 100_000

function reportDead({ alarms, log }: Deliverer, { name }: NotifyTarget, count: number): void {
  alarms.add('events_undelivered')
  log.error('Events were not delivered and are dead letters now.', {
    target: name,
    count,
    command: 'svc events list --state dead',
  })
}

/** Moves events that were tried for too long, or are too many, to dead letters, and raises an alarm. */
export async function giveUpEvents(service: Deliverer): Promise<void> {
  const { storage, notify } = service
  for (const target of notify) {
    const dead = await storage.outbox.giveUp({ target: target.name, mostMs: MOST_MS, most: MOST_WAITING })
    if (dead > 0) reportDead(service, target, dead)
  }
}
