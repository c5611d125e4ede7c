/** Intents: what is durable before a handler with effects runs. */
import { DuplicateId, StorageUnavailable, type IdempotencyKey, type Intent, type IntentStore } from '../contract.js'
import { json } from './columns.js'
import { confirm } from './idempotency.js'
import { keep, row, rows, type Engine, type WriteOutcome, type StoragePlan } from './plan.js'

const INSERT = `
  insert into intents (invocation_id, owner, body, started_at) values (?, ?, ?, ?)
  on conflict (invocation_id) do nothing returning invocation_id`

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
  async record(intent) {
    const recorded = await (intent.idempotency === undefined
      ? engine.writeSingly(() => insert(intent))
      : engine.write(() => insertUnderClaim(intent, intent.idempotency!)))
    if (!recorded) throw new DuplicateId(`The invocation id ${intent.invocation_id} is taken.`)
  },
  orphans: (limit) => engine.search(() => orphans(limit)),
})

function* insertUnderClaim(intent: Intent, key: IdempotencyKey): StoragePlan<WriteOutcome<boolean>> {
  if (yield* confirm(key, intent.invocation_id)) return yield* insert(intent)
  throw new StorageUnavailable('The claim on the idempotency key lapsed before the intent was recorded.')
}

function* insert(intent: Intent): StoragePlan<WriteOutcome<boolean>> {
  const { invocation_id, owner, started_at } = intent
  return keep((yield* row(INSERT, invocation_id, owner, JSON.stringify(intent), started_at)) !== undefined)
}

function* orphans(limit: number): StoragePlan<readonly Intent[]> {
  return (yield* rows(ORPHANS, limit)).map((stored) => json<Intent>(stored, 'body'))
}
