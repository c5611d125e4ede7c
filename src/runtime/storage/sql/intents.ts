/** Intents: what is durable before a handler with effects runs. */
import { DuplicateId, StorageUnavailable, type Intent, type IntentStore } from '../contract.js'
import { json, textColumn } from './columns.js'
import { confirm, NEVER } from './idempotency.js'
import { insertNew, padded } from './insert-many.js'
import { keep, rows, sendOnly, type Engine, type WriteOutcome, type StoragePlan, type Value } from './plan.js'
import { together } from './together.js'

const MOST_CLOSED = 64

const INTENTS = 'intents (invocation_id, owner, body, started_at)'

/**
 * On a server: many intents in one statement and one commit. The update holds the row of a claim until its intent is
 * durable, as `CONFIRM` does; an intent whose claim has lapsed is not made.
 */
const AS_ONE = `
  with asked as (
    select * from json_to_recordset(cast(? as json)) as asked (invocation_id text, owner text, body text,
      started_at bigint, subject text, capability text, idempotency_key text)
  ), held as (
    update idempotency set claimed_at = ${NEVER} from asked
    where idempotency.subject = asked.subject and idempotency.capability = asked.capability
      and idempotency.idempotency_key = asked.idempotency_key and idempotency.invocation_id = asked.invocation_id
      and idempotency.status is null
    returning asked.invocation_id
  ), made as (
    insert into ${INTENTS} select invocation_id, owner, body, started_at from asked
    where idempotency_key is null or invocation_id in (select invocation_id from held)
    on conflict (invocation_id) do nothing returning invocation_id
  ) select 'held' as became, invocation_id from held union all select 'made', invocation_id from made`

/** From each owner to the next one by the index of owners: those are few, whatever is under way. */
const ORPHANS = `
  with recursive owners (owner) as (
    select min(owner) from intents
    union all
    select (select min(next.owner) from intents next where next.owner > owners.owner) from owners
    where owners.owner is not null
  ), gone (owner) as (
    select owner from owners where owner is not null and not exists (
      select 1 from leases where lease_key = 'process:' || owners.owner and leases.expires_at > :now)
  ) select intents.body from gone join intents on intents.owner = gone.owner limit ?`

export const intentStore = (engine: Engine): IntentStore => ({
  record: together<Intent>(
    ({ invocation_id }) => invocation_id,
    (take) => (engine.isShared ? engine.writeSingly(() => insertAsOne(take)) : engine.write(() => insertEach(take))),
    duplicate,
  ),
  orphans: (limit) => engine.search(() => orphans(limit)),
})

const duplicate = (id: string): DuplicateId => new DuplicateId(`The invocation id ${id} is taken.`)

const lapsed = (): StorageUnavailable =>
  new StorageUnavailable('The claim on the idempotency key lapsed before the intent was recorded.')

/** Why an intent was not recorded; undefined where it was. */
const refusalOf = (id: string, isHeld: boolean, isMade: boolean): Error | undefined => {
  if (!isHeld) return lapsed()
  return isMade ? undefined : duplicate(id)
}

const refusals = (
  intents: readonly Intent[],
  held: ReadonlySet<string>,
  made: ReadonlySet<string>,
): ReadonlyMap<string, Error> =>
  new Map(
    intents.flatMap(({ invocation_id: id, idempotency }) => {
      const refusal = refusalOf(id, idempotency === undefined || held.has(id), made.has(id))
      return refusal === undefined ? [] : [[id, refusal] as const]
    }),
  )

function* insertAsOne(take: () => readonly Intent[]): StoragePlan<WriteOutcome<ReadonlyMap<string, Error>>> {
  const intents = take()
  const stored = yield* rows(AS_ONE, JSON.stringify(intents.map(askedOf)))
  const became = (what: string): ReadonlySet<string> =>
    new Set(stored.filter((row) => row['became'] === what).map((row) => textColumn(row, 'invocation_id')))
  return keep(refusals(intents, became('held'), became('made')), intents.length)
}

const askedOf = (intent: Intent) => ({
  invocation_id: intent.invocation_id,
  owner: intent.owner,
  body: JSON.stringify(intent),
  started_at: intent.started_at,
  subject: intent.idempotency?.subject,
  capability: intent.idempotency?.capability,
  idempotency_key: intent.idempotency?.key,
})

function* insertEach(take: () => readonly Intent[]): StoragePlan<WriteOutcome<ReadonlyMap<string, Error>>> {
  const intents = take()
  const held = new Set<string>()
  for (const { invocation_id, idempotency } of intents)
    if (idempotency === undefined || (yield* confirm(idempotency, invocation_id))) held.add(invocation_id)
  const values = intents.filter(({ invocation_id }) => held.has(invocation_id)).flatMap(valuesOf)
  const made = yield* insertNew(INTENTS, 'invocation_id', 4, values)
  return keep(refusals(intents, held, made), intents.length)
}

const valuesOf = (intent: Intent): readonly Value[] => [
  intent.invocation_id,
  intent.owner,
  JSON.stringify(intent),
  intent.started_at,
]

/** Most go with a list, of few lengths, so that each statement is prepared once. */
export function* closeIntents(ids: readonly string[]): StoragePlan<void> {
  for (let from = 0; from < ids.length; from += MOST_CLOSED) {
    const list = padded(ids.slice(from, from + MOST_CLOSED))
    yield* sendOnly(`delete from intents where invocation_id in (${list.marks})`, ...list.values)
  }
}

function* orphans(limit: number): StoragePlan<readonly Intent[]> {
  return (yield* rows(ORPHANS, limit)).map((stored) => json<Intent>(stored, 'body'))
}
