/** Leases: one holder at a time across replicas, by the back end's clock (section 4.4, `concurrent_branches`). */
import type { LeaseStore } from '../contract.js'
import { keep, row, type Engine, type WriteOutcome, type StoragePlan } from './plan.js'

const ACQUIRE = `
  insert into leases (lease_key, owner, expires_at) values (?, ?, :now + ?)
  on conflict (lease_key) do update set owner = excluded.owner, expires_at = excluded.expires_at
  where leases.expires_at <= :now returning owner`

const RENEW = `
  update leases set expires_at = :now + ? where lease_key = ? and owner = ? and expires_at > :now returning owner`

const RELEASE = 'delete from leases where lease_key = ? and owner = ? returning owner'

export const leaseStore = (engine: Engine): LeaseStore => ({
  acquire: (key, owner, ttlMs) => engine.writeSingly(() => acquire(key, owner, ttlMs)),
  renew: (key, owner, ttlMs) => engine.writeSingly(() => renew(key, owner, ttlMs)),
  release: (key, owner) => engine.writeSingly(() => release(key, owner)),
})

function* acquire(key: string, owner: string, ttlMs: number): StoragePlan<WriteOutcome<boolean>> {
  return keep((yield* row(ACQUIRE, key, owner, ttlMs)) !== undefined)
}

function* renew(key: string, owner: string, ttlMs: number): StoragePlan<WriteOutcome<boolean>> {
  return keep((yield* row(RENEW, ttlMs, key, owner)) !== undefined)
}

function* release(key: string, owner: string): StoragePlan<WriteOutcome<void>> {
  yield* row(RELEASE, key, owner)
  return keep(undefined)
}
