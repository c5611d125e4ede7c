import { recordTallies } from '../audit/record-tallies.js'
import type { CheckpointMaker } from '../checkpoints/schedule.js'
import type { Alarm } from '../telemetry/alarms.js'
import { startAnchoring } from './anchoring.js'
import { giveUpEvents, startDelivery } from '../events/dispatch.js'
import { reportAlarms, reportExpiries } from '../events/report.js'
import { unlistedKeys } from '../keys/listed-keys.js'
import { unpublishedKey } from '../keys/published-trouble.js'
import { reencrypting } from '../connections/reencrypt.js'
import { compareClocks } from '../auth/clock-difference.js'
import { holdProcessLease } from './process-lease.js'
import { recordUnrecorded } from '../call/settle/waiting.js'
import { recoverOrphans } from './recovery.js'
import { PROCESS_TIME, type ProcessTime } from '../telemetry/process-time.js'
import { eraseExpired } from './retention.js'
import { endingKeys, findUnknownKeys, KEYS_JUDGED_MS } from '../operate/ended-keys.js'
import { PAUSES_READ_MS, readPauses } from '../operate/pausing.js'
import type { Service } from '../service.js'

interface Chore {
  readonly name: string
  readonly everyMs: number
  readonly work: (service: Service) => Promise<unknown>
}

/** Returns the background tasks of a service. Each runs at once and then at its interval, never twice at a time. */
const chores = ({ limits }: Service, checkpoints: CheckpointMaker | undefined): readonly Chore[] => [
  { name: 'hold the process lease', everyMs: limits.leaseMs / 3, work: holdProcessLease },
  { name: 'record what could not be recorded', everyMs: Math.min(1_000, limits.leaseMs), work: recordUnrecorded },
  { name: 'recover lost invocations', everyMs: limits.leaseMs, work: recoverOrphans },
  { name: 'compare the clocks', everyMs: limits.leaseMs / 2, work: compareClocks },
  { name: 'read what is paused', everyMs: PAUSES_READ_MS, work: readPauses },
  { name: 'reload the keys', everyMs: limits.leaseMs, work: alarming('keys_unreadable', reloadKeys) },
  {
    name: 'reload the API keys',
    everyMs: limits.leaseMs,
    work: alarming('api_keys_unreadable', ({ apiKeys }) => apiKeys.reload()),
  },
  { name: 'compare the database with the trail', everyMs: 10_000, work: comparing() },
  { name: 'write rows anew under the newest key', everyMs: 60_000, work: ({ renewRows }) => renewRows() },
  { name: 'encrypt tokens of connections again under the newest key', everyMs: 60_000, work: reencrypting() },
  { name: 'end what ended API keys bought', everyMs: KEYS_JUDGED_MS, work: endingKeys() },
  { name: 'look for tokens of unknown API keys', everyMs: 60_000, work: findUnknownKeys },
  { name: 'report approvals that expire', everyMs: 5_000, work: reportExpiries },
  { name: 'count what the log dropped', everyMs: DROPS_COUNTED_MS, work: countingDrops() },
  { name: 'fold the write-ahead log in', everyMs: LOG_FOLDED_MS, work: foldingLog() },
  { name: 'report alarms', everyMs: 1_000, work: reportAlarms },
  { name: 'give up events', everyMs: 60_000, work: giveUpEvents },
  { name: 'sweep the store', everyMs: 60_000, work: sweep },
  { name: 'record what was refused beyond the rate', everyMs: 60_000, work: recordTallies },
  { name: 'log what was refused', everyMs: 60_000, work: logRefusals },
  { name: 'erase what is kept no longer', everyMs: 3600_000, work: (service) => erase(service, checkpoints) },
]

const DROPS_COUNTED_MS = 5_000
/** Readings without a further loss after which the alarm ends: a minute. */
const QUIET_READINGS = 12

/** Raises an alarm where the log could not write a line, until it has written all for a minute. */
function countingDrops(): Chore['work'] {
  let [counted, quiet] = [0, 0]
  return async ({ log, alarms }) => {
    const dropped = log.dropped?.() ?? 0
    quiet = dropped > counted ? 0 : quiet + 1
    if (dropped > counted) alarms.add('log_lines_dropped')
    else if (quiet >= QUIET_READINGS) alarms.clear('log_lines_dropped')
    counted = dropped
  }
}

const LOG_FOLDED_MS = 30_000

/** Raises an alarm where a reader of the database still holds its write-ahead log at the next reading. */
function foldingLog(): Chore['work'] {
  let wasHeld = false
  return async ({ storage, alarms, log }) => {
    const bytes = (await storage.foldLog?.()) ?? 0
    if (bytes === 0) alarms.clear('database_log_held')
    else if (wasHeld && !alarms.has('database_log_held')) {
      alarms.add('database_log_held')
      log.warn('A reader of the database stays, and its write-ahead log grows.', { bytes })
    }
    wasHeld = bytes > 0
  }
}

/** Compares what takes authority away each time, and every counter once a minute. */
function comparing(): Chore['work'] {
  let times = 0
  return ({ counters }) => counters.compare(times++ % 6 === 0 ? 'all' : 'ended')
}

/**
 * Starts the chores of a service and the publication of checkpoints, and gives the way to end them: what is not covered
 * by a checkpoint yet is covered then. A chore that fails is logged and tried again.
 */
export function maintain(service: Service, time: ProcessTime = PROCESS_TIME): () => Promise<void> {
  const checkpoints = startAnchoring(service, time)
  const stopDelivery = startDelivery(service, time)
  const stops = chores(service, checkpoints).map((chore) => repeat(service, chore, time))
  return async () => {
    for (const stop of stops) stop()
    await stopDelivery()
    await recordUnrecorded(service).catch((error: unknown) =>
      service.log.warn('Pending audit entries could not be recorded.', { error: String(error) }),
    )
    await recordTallies(service).catch((error: unknown) =>
      service.log.warn('Refused calls could not be recorded.', { error: String(error) }),
    )
    await checkpoints?.stop()
  }
}

function repeat(service: Service, { name, everyMs, work }: Chore, time: ProcessTime): () => void {
  let running = false
  const run = async () => {
    if (running) return
    running = true
    await work(service)
      .then(undefined, (error: unknown) => service.log.warn('A chore failed.', { chore: name, error: String(error) }))
      .finally(() => (running = false))
  }
  void run()
  return time.every(run, everyMs)
}

/** Keeps the last good value in force after a failed read, and raises an alarm. */
const alarming =
  (alarm: Alarm, work: Chore['work']): Chore['work'] =>
  async (service) => {
    await work(service).catch((error: unknown) => {
      service.alarms.add(alarm)
      throw error
    })
    service.alarms.clear(alarm)
  }

/** By the store's clock: a replica whose own is ahead must not take away what the others still need. */
async function sweep({ storage, clock }: Service): Promise<void> {
  const now = await clock.confirmed()
  if (now !== undefined) await storage.sweep(now)
}

/** An export shows no erasure before a checkpoint covers the entry that accounts for it. */
async function erase(service: Service, checkpoints: CheckpointMaker | undefined): Promise<void> {
  const now = await service.clock.confirmed()
  if (now !== undefined && (await eraseExpired(service, now)) > 0) await checkpoints?.makeNow()
}

/** Keys that the published manifest does not list take over from none that it lists, and the key that signed it stays. */
async function reloadKeys({ keys, publishedManifest, reloadKeys: read, now }: Service): Promise<void> {
  if (read === undefined) return
  const ring = await read()
  const unpublished = publishedManifest === undefined ? [] : unpublishedKey(publishedManifest, ring, now())
  const troubles = [...unlistedKeys(publishedManifest, ring), ...unpublished]
  if (troubles.length > 0) throw new Error(troubles.join(' '))
  keys.replace(ring)
}

/** Refusals that left no audit entry are logged once a minute, in numbers (decisions, section 4). */
async function logRefusals({ refusalCounter, log }: Service): Promise<void> {
  const counts = refusalCounter.take()
  if (Object.keys(counts).length > 0) log.info('Requests were refused in the last minute.', { counts })
}
