/** Idempotency keys: the first invocation claims, later ones learn what became of it. */
import type { IdempotencyKey, IdempotencyStart, IdempotencyStore, Settlement } from '../contract.js'
import { integer, optionalText, textColumn } from './columns.js'
import { rowsInParts } from './insert-many.js'
import { keep, row, rows, sendOnly, type Engine, type WriteOutcome, type StoragePlan, type Row } from './plan.js'

/**
 * How long a claim stands without an intent, so that one whose process or connection was lost does not stand for ever.
 */
const CLAIM_MS = 5_000

/** Of a claim that has an intent: it does not lapse. */
export const NEVER = Number.MAX_SAFE_INTEGER

const CLAIM = `
  insert into idempotency (subject, capability, idempotency_key, digest, invocation_id, expires_at, claimed_at)
  values (?, ?, ?, ?, ?, ?, :now)
  on conflict (subject, capability, idempotency_key) do update
  set digest = excluded.digest, invocation_id = excluded.invocation_id, expires_at = excluded.expires_at,
      claimed_at = excluded.claimed_at, status = null, body = null
  where (idempotency.expires_at <= :now and idempotency.expires_at <= cast(? as bigint)) or (
    idempotency.status is null and idempotency.claimed_at <= :now - ${CLAIM_MS}
    and not exists (select 1 from intents where intents.invocation_id = idempotency.invocation_id)
  ) returning invocation_id`

/**
 * Who would take the claim over meanwhile waits for its row, and reads there that it has an intent: the intent itself is
 * too new for a statement that began before it was durable.
 */
const CONFIRM = `
  update idempotency set claimed_at = ${NEVER}
  where subject = ? and capability = ? and idempotency_key = ? and invocation_id = ? and status is null
  returning invocation_id`

const FIND = `
  select digest, status, body from idempotency where subject = ? and capability = ? and idempotency_key = ?`

const ABANDON = `
  delete from idempotency
  where subject = ? and capability = ? and idempotency_key = ? and invocation_id = ? and status is null`

const RETRACT = `
  delete from idempotency where subject = ? and capability = ? and idempotency_key = ? and invocation_id = ?`

/** Each engine names the columns of a list of values so. */
const ANSWER = `
  update idempotency set status = given.column5, body = given.column6 from (values :rows) as given
  where subject = given.column1 and capability = given.column2 and idempotency_key = given.column3
    and invocation_id = given.column4 and status is null`

export const idempotencyStore = (engine: Engine): IdempotencyStore => ({
  start: (key, digest, invocationId, expiresAt, vouched = NEVER) =>
    engine.writeSingly(() => start(key, digest, invocationId, expiresAt, vouched)),
  abandon: (key, invocationId) => engine.writeSingly(() => abandon(key, invocationId)),
  retract: (key, invocationId) => engine.writeSingly(() => retract(key, invocationId)),
})

function* start(
  key: IdempotencyKey,
  digest: string,
  invocationId: string,
  expiresAt: number,
  vouched: number,
): StoragePlan<WriteOutcome<IdempotencyStart>> {
  const latest = Math.floor(vouched)
  const claimed = yield* row(CLAIM, key.subject, key.capability, key.key, digest, invocationId, expiresAt, latest)
  if (claimed !== undefined) return keep({ state: 'started' })
  const first = yield* row(FIND, key.subject, key.capability, key.key)
  return keep(first === undefined ? { state: 'in_progress' } : whatBecameOf(first, digest))
}

function whatBecameOf(first: Row, digest: string): IdempotencyStart {
  if (textColumn(first, 'digest') !== digest) return { state: 'conflict' }
  const body = optionalText(first, 'body')
  return body === null ? { state: 'in_progress' } : { state: 'answered', status: integer(first, 'status'), body }
}

function* abandon(key: IdempotencyKey, invocationId: string): StoragePlan<WriteOutcome<void>> {
  yield* rows(ABANDON, key.subject, key.capability, key.key, invocationId)
  return keep(undefined)
}

export const giveBack = (key: IdempotencyKey, invocationId: string): StoragePlan<void> =>
  sendOnly(ABANDON, key.subject, key.capability, key.key, invocationId)

function* retract(key: IdempotencyKey, invocationId: string): StoragePlan<WriteOutcome<void>> {
  yield* rows(RETRACT, key.subject, key.capability, key.key, invocationId)
  return keep(undefined)
}

/** Whether an invocation still has its claim, which from now on stands as long as its intent. */
export function* confirm(key: IdempotencyKey, invocationId: string): StoragePlan<boolean> {
  return (yield* row(CONFIRM, key.subject, key.capability, key.key, invocationId)) !== undefined
}

/** Remembers the answers of the invocations that claimed the keys. */
export function* remember(answers: readonly NonNullable<Settlement['answer']>[]): StoragePlan<void> {
  const values = answers.flatMap(({ key, invocationId, status, body }) => [
    key.subject,
    key.capability,
    key.key,
    invocationId,
    status,
    body,
  ])
  for (const part of rowsInParts(values, 6)) yield* sendOnly(answerOf(part.size), ...part.values)
}

const ANSWERS = new Map<number, string>()

/** The text of a statement for so many answers, made once: the same string is the same prepared statement. */
function answerOf(size: number): string {
  const known = ANSWERS.get(size)
  if (known !== undefined) return known
  const tuples = Array<string>(size).fill('(?, ?, ?, ?, cast(? as integer), ?)')
  const sql = ANSWER.replace(':rows', tuples.join(', '))
  ANSWERS.set(size, sql)
  return sql
}
