/** Removes rows that nothing can need any more, in bounded batches. What they meant stands in the audit trail. */
import { textColumn } from './columns.js'
import { padded } from './insert-many.js'
import { keep, rows, sendOnly, type Engine, type WriteOutcome, type StoragePlan, type Value } from './plan.js'

const BATCH = 500
/** What has expired stays readable for a week, so that late readers learn what became of it. */
const GRACE_MS = 7 * 24 * 3_600_000
const RATE_GRACE_MS = 60_000

/** Takes away one batch of what expired before a time, and gives how many rows that were. */
type Sweep = (before: number) => StoragePlan<WriteOutcome<number>>

export const sweepOf =
  (engine: Engine) =>
  async (now: number): Promise<void> => {
    for (const sweep of SWEEPS) {
      while ((await engine.write(() => sweep(now - GRACE_MS))) === BATCH);
    }
  }

/** The age is asked for twice: what somebody takes anew while it is found is found by its key, and stays. */
const removing = (table: string, key: string, age = 'expires_at'): Sweep =>
  function* (before) {
    const sql = `
      delete from ${table} where (${key}) in (
        select ${key} from ${table} where ${age} < cast(? as bigint) order by ${age} limit ?)
        and ${age} < cast(? as bigint) returning ${age}`
    return keep((yield* rows(sql, before, BATCH, before)).length)
  }

/**
 * A full bucket says what an absent one does. A minute's grace, lest one is taken away while a place in it is being
 * taken. The index goes by the caller's clock; whether a bucket is full is for that of the store.
 */
function* rates(before: number): StoragePlan<WriteOutcome<number>> {
  const sql = `
    delete from rates where name in (select name from rates where full_at < cast(? as bigint) order by full_at limit ?)
      and full_at < (cast(:now as bigint) - ${RATE_GRACE_MS}) * 1000 returning name`
  const full = (before + GRACE_MS - RATE_GRACE_MS) * 1000
  return keep((yield* rows(sql, full, BATCH)).length)
}

/** A child expires no later than its parent, so no chain loses its root before its leaves. */
function* tokens(before: number): StoragePlan<WriteOutcome<number>> {
  const sql = 'select token_id as id from tokens where expires_at < ? order by expires_at, depth desc limit ?'
  const expired = yield* ids(sql, before)
  if (expired.length > 0) yield* removeFrom(['ledger', 'holds', 'tokens'], 'token_id', expired)
  return keep(expired.length)
}

/** A request goes with its grant, when both have expired. */
function* requests(before: number): StoragePlan<WriteOutcome<number>> {
  const sql = `
    select approval_request_id as id from approval_requests where expires_at < ? and not exists (
      select 1 from approval_grants
      where approval_grants.approval_request_id = approval_requests.approval_request_id and approval_grants.expires_at >= ?
    ) order by expires_at limit ?`
  const expired = yield* ids(sql, before, before)
  if (expired.length > 0)
    yield* removeFrom(['approvals_given', 'approval_grants', 'approval_requests'], 'approval_request_id', expired)
  return keep(expired.length)
}

function* ids(sql: string, ...values: readonly Value[]): StoragePlan<readonly string[]> {
  return (yield* rows(sql, ...values, BATCH)).map((expired) => textColumn(expired, 'id'))
}

function* removeFrom(tables: readonly string[], key: string, values: readonly string[]): StoragePlan<void> {
  const list = padded(values)
  for (const table of tables) yield* sendOnly(`delete from ${table} where ${key} in (${list.marks})`, ...list.values)
}

const SWEEPS: readonly Sweep[] = [
  removing('leases', 'lease_key'),
  removing('idempotency', 'subject, capability, idempotency_key'),
  removing('bindings', 'binding_id'),
  rates,
  requests,
  removing('approval_requesters', 'subject, root_principal', 'touched_at'),
  tokens,
  removing('console_sessions', 'hash'),
  removing('event_deliveries', 'sequence'),
]
