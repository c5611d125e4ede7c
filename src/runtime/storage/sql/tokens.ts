/** Tokens and their chains (sections 2.10 and 4.4). */
import type { DelegationClaims, TokenChain, TokenRecord } from '../../../protocol/token.js'
import { DuplicateId, type TokenStore } from '../contract.js'
import { integer, json, optionalInteger } from './columns.js'
import { keep, row, rows, type Engine, type Outcome, type Plan, type Row } from './plan.js'

const INSERT = `
  insert into tokens (token_id, parent_token_id, depth, claims, expires_at, revoked_at)
  values (?, ?, ?, ?, ?, ?) on conflict (token_id) do nothing returning token_id`

const SELF = 'select token_id, parent_token_id, depth, claims, revoked_at from tokens where token_id = ?'

const ANCESTORS = `
  with recursive chain (token_id, parent_token_id, depth, claims, revoked_at) as (
    select token_id, parent_token_id, depth, claims, revoked_at from tokens where token_id = ?
    union all
    select t.token_id, t.parent_token_id, t.depth, t.claims, t.revoked_at
    from tokens t join chain c on t.token_id = c.parent_token_id
  ) select token_id, parent_token_id, depth, claims, revoked_at from chain order by depth`

const REVOKE = 'update tokens set revoked_at = coalesce(revoked_at, ?) where token_id = ? returning token_id'

const DESCENDANTS = `
  with recursive tree (token_id) as (
    select token_id from tokens where parent_token_id = ?
    union all
    select t.token_id from tokens t join tree on t.parent_token_id = tree.token_id
  ) select count(*) as descendants from tree`

export const tokenStore = (engine: Engine): TokenStore => ({
  async insert(record) {
    const inserted = await engine.writeSingly(() => insert(record))
    if (!inserted) throw new DuplicateId(`The token id ${record.claims.jti} is taken.`)
  },
  chain: (tokenId) => engine.read(() => chain(tokenId)),
  revoke: (tokenId, at) => engine.writeSingly(() => revoke(tokenId, at)),
})

function* insert({ claims, depth, revoked_at }: TokenRecord): Plan<Outcome<boolean>> {
  const inserted = yield* row(
    INSERT,
    claims.jti,
    claims.parent_token_id ?? null,
    depth,
    JSON.stringify(claims),
    claims.exp * 1000,
    revoked_at ?? null,
  )
  return keep(inserted !== undefined)
}

function* chain(tokenId: string): Plan<TokenChain | undefined> {
  const last = yield* row(SELF, tokenId)
  if (last === undefined) return undefined
  if (last['parent_token_id'] === null) return [recordOf(last)]
  const [root, ...below] = yield* rows(ANCESTORS, tokenId)
  return root === undefined ? undefined : [recordOf(root), ...below.map(recordOf)]
}

function* revoke(tokenId: string, at: number): Plan<Outcome<number | undefined>> {
  const revoked = yield* row(REVOKE, at, tokenId)
  if (revoked === undefined) return keep(undefined)
  const count = yield* row(DESCENDANTS, tokenId)
  return keep(count === undefined ? 0 : integer(count, 'descendants'))
}

function recordOf(stored: Row): TokenRecord {
  const revokedAt = optionalInteger(stored, 'revoked_at')
  const record = { claims: json<DelegationClaims>(stored, 'claims'), depth: integer(stored, 'depth') }
  return revokedAt === undefined ? record : { ...record, revoked_at: revokedAt }
}
