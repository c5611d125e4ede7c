/** Who keeps a change of the entries from its lock, and how long it is worth waiting for that. */
import { integer, textColumn } from '../../sql/columns.js'
import { rows, type StoragePlan } from '../../sql/plan.js'

export type Obstacle = 'svc migrate' | 'autovacuum' | 'vacuum' | 'other'

export interface Blocked {
  readonly by: readonly Obstacle[]
  /** After so long PostgreSQL cancels an autovacuum for whoever waits for it. */
  readonly deadlockMs: number
}

/** The name of connections that change how the entries are stored. */
export const APPLICATION = 'svc migrate partition'

/** A worker belongs to no user; who has no rights to read more sees that all the same. */
const BLOCKERS = `
  select case
      when a.application_name = '${APPLICATION}' then 'svc migrate'
      when a.backend_type = 'autovacuum worker' or a.usesysid is null then 'autovacuum'
      when exists (select 1 from pg_stat_progress_vacuum v where v.pid = a.pid) then 'vacuum'
      else 'other' end as obstacle,
    (select setting::int from pg_settings where name = 'deadlock_timeout') as deadlock_ms
  from pg_stat_activity a where a.pid = any(pg_blocking_pids(cast(? as int)))`

export function* blockersOf(pid: number): StoragePlan<Blocked> {
  const found = yield* rows(BLOCKERS, pid)
  return {
    by: found.map((stored) => textColumn(stored, 'obstacle') as Obstacle),
    deadlockMs: found[0] === undefined ? 0 : integer(found[0], 'deadlock_ms'),
  }
}

/** Whoever appends waits at most so long; behind a long read, as of a backup, the change gives up and is tried again. */
export const PATIENCE_MS = 200
const LONGEST_DEADLOCK_MS = 1000
const MARGIN_MS = 150

/** Longer than usual where that cancels an autovacuum, and nobody else is in the way. */
export function patienceFor({ by, deadlockMs }: Blocked): number {
  const isCancelled = by.length > 0 && by.every((each) => each === 'autovacuum') && deadlockMs <= LONGEST_DEADLOCK_MS
  return isCancelled ? deadlockMs + MARGIN_MS : PATIENCE_MS
}

export const ADVICE: { readonly [obstacle in Obstacle]: string } = {
  'svc migrate':
    'Another svc migrate is at work, or a replica that brings the schema up to date. Run it again afterwards.',
  autovacuum:
    'An autovacuum of the entries is at work and does not give way, as one against wraparound. Run it again afterwards.',
  vacuum: 'A vacuum of the entries is at work. Run it again afterwards.',
  other:
    'The entries are read or written without a pause, as by a backup, or others change the schema. Run it again afterwards.',
}
