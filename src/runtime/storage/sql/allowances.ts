/**
 * Counters as they stand: what is spent under tokens, how often grants were used, and what was revoked (security, N08).
 */
import type { DelegationClaims } from '../../../protocol/token.js'
import type { AllowanceStore, StoredAllowanceOfGrant, StoredAllowanceOfToken } from '../allowance-store.js'
import { integer, json, optionalInteger, optionalText, textColumn } from './columns.js'
import { padded } from './insert-many.js'
import { keep, row, rows, type Engine, type WriteOutcome, type StoragePlan, type Row } from './plan.js'

const tokensSql = (marks: string): string => `
  select t.token_id as token_id, t.claims as claims, t.expires_at as expires_at, t.revoked_at as revoked_at,
    (select cast(l.spent as text) from ledger l where l.token_id = t.token_id) as spent
  from tokens t where t.token_id in (${marks})`

const grantsSql = (marks: string): string => `
  select grant_id, uses, max_uses, expires_at, revoked_at from approval_grants where grant_id in (${marks})`

const END_TOKEN = 'update tokens set revoked_at = ? where token_id = ? and revoked_at is null returning token_id'
const END_GRANT = `
  update approval_grants set revoked_at = :now where grant_id = ? and revoked_at is null returning grant_id`

export const allowanceStore = (engine: Engine): AllowanceStore => ({
  tokens: (ids) => engine.search(() => byId(tokensSql, 'token_id', ids, ofToken)),
  grants: (ids) => engine.search(() => byId(grantsSql, 'grant_id', ids, ofGrant)),
  endToken: (id, at) => engine.writeSingly(() => changes(END_TOKEN, at, id)),
  endGrant: (id) => engine.writeSingly(() => changes(END_GRANT, id)),
})

/** Ids that one statement names. */
const MOST_AT_ONCE = 512

/** Reads rows by their keys, as many at a time as one statement names. */
export function* byId<Found>(
  sql: (marks: string) => string,
  key: string,
  ids: readonly string[],
  read: (stored: Row) => Found,
): StoragePlan<ReadonlyMap<string, Found>> {
  const found = new Map<string, Found>()
  for (let from = 0; from < ids.length; from += MOST_AT_ONCE) {
    const list = padded(ids.slice(from, from + MOST_AT_ONCE))
    for (const stored of yield* rows(sql(list.marks), ...list.values)) found.set(textColumn(stored, key), read(stored))
  }
  return found
}

function ofToken(stored: Row): StoredAllowanceOfToken {
  const { root_principal: rootPrincipal, constraints } = json<DelegationClaims>(stored, 'claims')
  const { budget } = constraints
  return {
    rootPrincipal,
    isRevoked: optionalInteger(stored, 'revoked_at') !== undefined,
    expiresAt: integer(stored, 'expires_at'),
    currency: budget?.mode === 'cumulative' ? budget.currency : undefined,
    spentUnits: BigInt(optionalText(stored, 'spent') ?? 0),
  }
}

const ofGrant = (stored: Row): StoredAllowanceOfGrant => ({
  isRevoked: optionalInteger(stored, 'revoked_at') !== undefined,
  expiresAt: integer(stored, 'expires_at'),
  uses: integer(stored, 'uses'),
  maxUses: integer(stored, 'max_uses'),
})

function* changes(sql: string, ...values: readonly (string | number)[]): StoragePlan<WriteOutcome<boolean>> {
  return keep((yield* row(sql, ...values)) !== undefined)
}
