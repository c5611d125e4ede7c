/** The outbox, over an engine (decisions, section 13). */
import type { DeliveryState, EventType } from '../../../protocol/events.js'
import type {
  AttemptedDelivery,
  DeliveryBounds,
  DeliveryFilter,
  DueDelivery,
  EventOfRequest,
  ExpiryType,
  ListedDelivery,
  OutboxStore,
  OutgoingEvent,
} from '../outbox-store.js'
import { REQUEST_COLUMNS, requestOf } from './approval-rows.js'
import { integer, optionalInteger, optionalText, textColumn } from './columns.js'
import { keep, row, rows, sendOnly, type Engine, type WriteOutcome, type StoragePlan, type Row } from './plan.js'

const INSERT = `
  insert into event_deliveries (event_id, target, type, subject, body, state, attempts, queued_at, due_at)
  values (?, ?, ?, ?, ?, 'pending', 0, :now, :now) on conflict (event_id, target) do nothing`

/** In order for each target and subject: what waits for an earlier one of its subject is not due. */
const DUE = `
  select sequence, event_id, type, body, attempts from event_deliveries
  where target = ? and state = 'pending' and due_at <= :now and not exists (
    select 1 from event_deliveries earlier
    where earlier.target = event_deliveries.target and earlier.subject = event_deliveries.subject
      and earlier.state = 'pending' and earlier.sequence < event_deliveries.sequence)
  order by sequence limit ?`

const DELIVERED = `
  update event_deliveries
  set state = 'delivered', attempts = attempts + 1, ended_at = :now, expires_at = :now, last_error = null
  where sequence = ? and state = 'pending'`

const FAILED = `
  update event_deliveries set attempts = attempts + 1, due_at = :now + ?, last_error = ?
  where sequence = ? and state = 'pending'`

const HASTEN = `
  update event_deliveries set due_at = :now
  where target = ? and state = 'pending' and due_at > :now and last_error not like 'status 4%'`

/** Dead letters stay for 30 days: 23, and the week that whatever has expired stays. */
const DEAD_MS = 23 * 24 * 3_600_000

/** The sum keeps the planner from walking backwards through all that was ever delivered. */
const GIVE_UP = `
  update event_deliveries set state = 'dead', ended_at = :now, expires_at = :now + ${DEAD_MS}
  where target = ? and state = 'pending' and (queued_at <= :now - ? or sequence <= (
    select coalesce(max(sequence), 0) from (
      select sequence from event_deliveries where target = ? and state = 'pending'
      order by sequence + 0 desc limit 1 offset ?) as beyond))
  returning sequence`

const RESEND = `
  update event_deliveries
  set state = 'pending', attempts = 0, queued_at = :now, due_at = :now, ended_at = null, expires_at = null,
    last_error = null
  where event_id = ? and target = coalesce(cast(? as text), target) returning target`

const LISTED = 'sequence, event_id, type, subject, target, state, attempts, queued_at, due_at, ended_at, last_error'

const DISCARD = `
  update event_deliveries set state = 'dead', ended_at = :now, expires_at = :now + ${DEAD_MS}, last_error = ?
  where sequence = ? and state = 'pending'`

/** How long after its expiry a request is still reported: it stays readable for a week. */
const REPORTED_MS = 6 * 24 * 3_600_000

/** Between two times that the plan gives: an index is not asked by the clock of the statement. */
const STATES: { readonly [type in ExpiryType]: string } = {
  'approval.expiring': `('pending')`,
  'approval.expired': `('pending', 'expired')`,
}

const unreportedSql = (type: ExpiryType): string => `
  select ${REQUEST_COLUMNS} from approval_requests
  where status in ${STATES[type]} and expires_at > cast(? as bigint) and expires_at <= cast(? as bigint) and not exists (
    select 1 from event_deliveries where event_id = '${type}.' || approval_requests.approval_request_id)
  order by expires_at limit ? :lock`

export const outboxStore = (engine: Engine): OutboxStore => ({
  add: (events) => engine.write(() => add(events)),
  due: (target, limit) => engine.read(() => due(target, limit)),
  settle: (attempts) => engine.write(() => settle(attempts)),
  discard: (sequences, reason) => engine.write(() => discard(sequences, reason)),
  hasten: (target) => engine.writeSingly(() => hasten(target)),
  giveUp: (bounds) => engine.writeSingly(() => giveUp(bounds)),
  list: (filter) => engine.search(() => list(filter)),
  resend: (eventId, target) => engine.writeSingly(() => resend(eventId, target)),
  noteExpiries: (type, withinMs, limit, eventOf) => engine.write(() => noteExpiries(type, withinMs, limit, eventOf)),
})

/** Writes an event in the transaction of what it reports. */
export function* addEvent({ id, type, subject, body, targets }: OutgoingEvent): StoragePlan<void> {
  for (const target of targets) yield* sendOnly(INSERT, id, target, type, subject, body)
}

function* add(events: readonly OutgoingEvent[]): StoragePlan<WriteOutcome<void>> {
  for (const event of events) yield* addEvent(event)
  return keep(undefined)
}

function* due(target: string, limit: number): StoragePlan<readonly DueDelivery[]> {
  return (yield* rows(DUE, target, limit)).map((stored) => ({
    sequence: integer(stored, 'sequence'),
    eventId: textColumn(stored, 'event_id'),
    type: textColumn(stored, 'type') as EventType,
    body: textColumn(stored, 'body'),
    attempts: integer(stored, 'attempts'),
  }))
}

function* settle(attempts: readonly AttemptedDelivery[]): StoragePlan<WriteOutcome<void>> {
  for (const attempt of attempts) {
    if (attempt.ok) yield* sendOnly(DELIVERED, attempt.sequence)
    else yield* sendOnly(FAILED, attempt.againInMs, attempt.error, attempt.sequence)
  }
  return keep(undefined)
}

function* discard(sequences: readonly number[], reason: string): StoragePlan<WriteOutcome<void>> {
  for (const sequence of sequences) yield* sendOnly(DISCARD, reason, sequence)
  return keep(undefined)
}

function* hasten(target: string): StoragePlan<WriteOutcome<void>> {
  yield* rows(HASTEN, target)
  return keep(undefined)
}

function* giveUp({ target, mostMs, most }: DeliveryBounds): StoragePlan<WriteOutcome<number>> {
  return keep((yield* rows(GIVE_UP, target, mostMs, target, most)).length)
}

function* resend(eventId: string, target: string | undefined): StoragePlan<WriteOutcome<readonly string[]>> {
  return keep((yield* rows(RESEND, eventId, target ?? null)).map((stored) => textColumn(stored, 'target')))
}

function* noteExpiries(
  type: ExpiryType,
  withinMs: number,
  limit: number,
  eventOf: EventOfRequest,
): StoragePlan<WriteOutcome<number>> {
  const clock = yield* row('select :now as now')
  const now = clock === undefined ? 0 : integer(clock, 'now')
  const [from, to] = type === 'approval.expiring' ? [now, now + withinMs] : [now - REPORTED_MS, now]
  const unreported = yield* rows(unreportedSql(type), from, to, limit)
  for (const stored of unreported) yield* addEvent(eventOf(requestOf(stored)))
  return keep(unreported.length)
}

function* list({ before, limit, ...filter }: DeliveryFilter): StoragePlan<readonly ListedDelivery[]> {
  const given = Object.entries(filter).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const where = [...given.map(([name]) => `${name} = ?`), 'sequence < ?'].join(' and ')
  const sql = `select ${LISTED} from event_deliveries where ${where} order by sequence desc limit ?`
  const values = given.map(([, value]) => value)
  return (yield* rows(sql, ...values, before ?? Number.MAX_SAFE_INTEGER, limit)).map(listedOf)
}

function listedOf(stored: Row): ListedDelivery {
  const state = textColumn(stored, 'state') as DeliveryState
  const endedAt = optionalInteger(stored, 'ended_at')
  const error = optionalText(stored, 'last_error')
  return {
    sequence: integer(stored, 'sequence'),
    event_id: textColumn(stored, 'event_id'),
    type: textColumn(stored, 'type') as EventType,
    subject: textColumn(stored, 'subject'),
    target: textColumn(stored, 'target'),
    state,
    attempts: integer(stored, 'attempts'),
    created_at: timeOf(integer(stored, 'queued_at')),
    ...(state === 'pending' && { next_attempt_at: timeOf(integer(stored, 'due_at')) }),
    ...(endedAt !== undefined && { ended_at: timeOf(endedAt) }),
    ...(error !== null && { last_error: error }),
  }
}

const timeOf = (ms: number): string => new Date(ms).toISOString()
