/** Removes rows that nothing can need any more, in bounded batches. */
import { keep, rows, type Engine, type Outcome, type Plan } from './plan.js'

const BATCH = 500
/** What is closed stays readable for a while, so that late readers learn what became of it. */
const GRACE_MS = 7 * 24 * 3_600_000

const SWEEPS = [
  `delete from leases where lease_key in (
    select lease_key from leases where expires_at < cast(? as bigint) order by expires_at limit ?) returning lease_key`,
  `delete from idempotency where invocation_id in (
    select invocation_id from idempotency where expires_at < cast(? as bigint) order by expires_at limit ?)
  returning invocation_id`,
  `delete from bindings where binding_id in (
    select binding_id from bindings where expires_at < cast(? as bigint) order by expires_at limit ?)
  returning binding_id`,
]

export const sweepOf =
  (engine: Engine) =>
  async (now: number): Promise<void> => {
    for (const sql of SWEEPS) {
      while ((await engine.writeSingly(() => sweepOnce(sql, now - GRACE_MS))) === BATCH);
    }
  }

function* sweepOnce(sql: string, before: number): Plan<Outcome<number>> {
  return keep((yield* rows(sql, before, BATCH)).length)
}
