import type { Checkpoint } from '../../protocol/audit.js'
import { PROCESS_TIME, type ProcessTime } from '../telemetry/process-time.js'
import type { Storage } from '../storage/contract.js'
import type { Discontinuity } from './continuity.js'
import { makeCheckpoint, type CheckpointDependencies, type CheckpointOutcome } from './make.js'

/**
 * State of the checkpoints. `failed`: storage or signer could not be used; `overdue`: entries wait for more than two
 * cadences. `entries_hidden`: queries cannot find all of them.
 */
export type CheckpointHealth = 'ok' | 'overdue' | 'failed' | 'entries_hidden' | Discontinuity

export interface CheckpointSchedule extends Omit<CheckpointDependencies, 'storage'> {
  readonly storage: Pick<Storage, 'audit' | 'checkpoints' | 'leases'>
  readonly cadenceMs: number
  /** Checks whether the clock of this process may date a checkpoint; true if absent. */
  readonly mayDate?: () => boolean
  /** This process, as owner of the lease. */
  readonly owner: string
  /** Told after each look, with what was thrown when something failed. */
  readonly onHealth: (health: CheckpointHealth, error?: unknown) => void
  /** Interval of checks for a due checkpoint; a second if absent, and never more than a quarter of the cadence. */
  readonly pollMs?: number
  /** Timer of these checks; the process's if absent. */
  readonly every?: ProcessTime['every']
}

export interface CheckpointMaker {
  /** Covers what is not covered yet, and ends. */
  stop(): Promise<void>
  /** Makes a checkpoint at once, if there are new entries and no other replica is at it. */
  makeNow(): Promise<Checkpoint | undefined>
}

const LEASE = 'checkpoints'
const LEASE_MS = 30_000

/**
 * Makes checkpoints at the cadence (section 6), the first one soon after the first entry. Any number of replicas may
 * run this: a lease lets one of them work, and the store takes only one checkpoint of each sequence anyway.
 */
export function startCheckpoints(schedule: CheckpointSchedule): CheckpointMaker {
  const { cadenceMs, pollMs = 1000, onHealth, every = PROCESS_TIME.every } = schedule
  const failed = (error: unknown) => onHealth('failed', error)
  const watch: Watch = { looked: false, covered: 0, uncoveredSince: undefined, counted: 0, areHidden: false }
  let turn: Promise<unknown> = Promise.resolve()
  // What is thrown here ends here, because nobody waits for it; health tells of it.
  const stop = every(
    () => (turn = turn.then(() => look(schedule, watch)).then(onHealth, failed)),
    Math.max(10, Math.min(pollMs, cadenceMs / 4)),
  )
  const makeNow = (): Promise<Checkpoint | undefined> => {
    const made = turn.then(() => make(schedule))
    turn = made.catch(() => undefined)
    return made
  }
  return {
    makeNow,
    stop: async () => {
      stop()
      await makeNow().catch(failed)
    },
  }
}

interface Watch {
  looked: boolean
  /** The sequence of the checkpoint that was seen last, whoever made it. */
  covered: number
  /** ms since the epoch, by the clock of this process. */
  uncoveredSince: number | undefined
  /** Up to which sequence it was seen that queries find every entry. */
  counted: number
  areHidden: boolean
}

/** Entries that were hidden from queries are still in the log, and in every export; here it is noticed. */
async function count({ storage: { audit } }: CheckpointSchedule, watch: Watch): Promise<void> {
  const size = await audit.size()
  if (size > watch.counted && (await audit.indexed(watch.counted + 1, size)) < size - watch.counted)
    watch.areHidden = true
  watch.counted = size
}

/** Makes what is due. The first look compares the log with the last checkpoint, even when nothing is due. */
async function look(schedule: CheckpointSchedule, watch: Watch): Promise<CheckpointHealth> {
  const { storage, cadenceMs, clock } = schedule
  const last = await storage.checkpoints.latest()
  const uncovered = (await storage.audit.size()) - (last?.entry_count ?? 0)
  // What waits since a sibling made one waits anew.
  if ((last?.sequence ?? 0) !== watch.covered) watch.uncoveredSince = undefined
  watch.covered = last?.sequence ?? 0
  const isDue = last === undefined || clock() - Date.parse(last.created_at) >= cadenceMs
  if (!watch.looked || uncovered < 0 || (uncovered > 0 && isDue)) {
    const outcome = await attempt(schedule)
    if (outcome?.refused !== undefined) return outcome.refused
    if (outcome !== undefined) {
      watch.looked = true
      await count(schedule, watch)
    }
    if (outcome?.made !== undefined) return waitsSince(watch, undefined, schedule)
  }
  return waitsSince(watch, uncovered > 0 ? clock() : undefined, schedule)
}

function waitsSince(watch: Watch, now: number | undefined, { cadenceMs }: CheckpointSchedule): CheckpointHealth {
  watch.uncoveredSince = now === undefined ? undefined : (watch.uncoveredSince ?? now)
  if (watch.areHidden) return 'entries_hidden'
  return now !== undefined && now - watch.uncoveredSince! > 2 * cadenceMs ? 'overdue' : 'ok'
}

async function make(schedule: CheckpointSchedule): Promise<Checkpoint | undefined> {
  const outcome = await attempt(schedule)
  if (outcome?.refused !== undefined) schedule.onHealth(outcome.refused)
  return outcome?.made
}

/** Undefined while another replica is at it, or is left to. */
async function attempt(schedule: CheckpointSchedule): Promise<CheckpointOutcome | undefined> {
  const { storage, owner, mayDate } = schedule
  if (mayDate?.() === false || !(await takes(schedule))) return undefined
  try {
    return await makeCheckpoint(schedule)
  } finally {
    await storage.leases.release(LEASE, owner)
  }
}

/** A lease of its own that this process could not give up, because the database was away, is no other replica at work. */
const takes = async ({ storage: { leases }, owner }: CheckpointSchedule): Promise<boolean> =>
  (await leases.acquire(LEASE, owner, LEASE_MS)) || leases.renew(LEASE, owner, LEASE_MS)
