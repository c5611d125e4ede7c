/** Tokens and their chains (sections 2.10 and 4.4). */
import type { ProvenBy } from '../../../protocol/credential.js'
import type { DelegationClaims, TokenChain, TokenRecord } from '../../../protocol/token.js'
import { DuplicateId, type OutgoingEvent, type TokenStore } from '../contract.js'
import { integer, json, optionalInteger, optionalText, textColumn } from './columns.js'
import { gathered } from './gathered.js'
import { insertNew, padded } from './insert-many.js'
import { addEvent } from './outbox.js'
import { together } from './together.js'
import { keep, row, rows, type Engine, type WriteOutcome, type StoragePlan, type Row, type Value } from './plan.js'

const TOKENS = 'tokens (token_id, parent_token_id, depth, claims, expires_at, revoked_at, credential)'

export const TOKEN_COLUMNS = 'token_id, parent_token_id, depth, claims, expires_at, revoked_at, credential'

const selves = (marks: string): string => `select ${TOKEN_COLUMNS} from tokens where token_id in (${marks})`

/** Each row with the token whose chain it belongs to. */
const ancestors = (marks: string): string => `
  with recursive chain (leaf, ${TOKEN_COLUMNS}) as (
    select token_id as leaf, ${TOKEN_COLUMNS} from tokens where token_id in (${marks})
    union all
    select c.leaf, t.token_id, t.parent_token_id, t.depth, t.claims, t.expires_at, t.revoked_at, t.credential
    from tokens t join chain c on t.token_id = c.parent_token_id and t.depth < c.depth
  ) select leaf, ${TOKEN_COLUMNS} from chain order by depth`

const REVOKE = 'update tokens set revoked_at = coalesce(revoked_at, ?) where token_id = ? returning token_id'

const DESCENDANTS = `
  with recursive tree (token_id) as (
    select token_id from tokens where parent_token_id = ?
    union all
    select t.token_id from tokens t join tree on t.parent_token_id = tree.token_id
  ) select count(*) as descendants from tree`

export const tokenStore = (engine: Engine): TokenStore => ({
  insert: insertTogether(engine),
  chain: gathered((tokenIds) => engine.read(() => chains(tokenIds))),
  revoke: (tokenId, at, event) =>
    engine[event === undefined ? 'writeSingly' : 'write'](() => revoke(tokenId, at, event)),
})

interface NewToken {
  readonly record: TokenRecord
  readonly written: string
}

function insertTogether(engine: Engine): TokenStore['insert'] {
  const insert = together<NewToken>(
    ({ record }) => record.claims.jti,
    (take) => engine.writeSingly(() => insertTaken(take)),
    duplicate,
  )
  return (record, written = JSON.stringify(record.claims)) => insert({ record, written })
}

function* insertTaken(take: () => readonly NewToken[]): StoragePlan<WriteOutcome<ReadonlyMap<string, Error>>> {
  const tokens = take()
  const inserted = yield* insertNew(TOKENS, 'token_id', 7, tokens.flatMap(valuesOf))
  const taken = tokens.map(({ record }) => record.claims.jti).filter((id) => !inserted.has(id))
  return keep(new Map(taken.map((id) => [id, duplicate(id)])), tokens.length)
}

const duplicate = (id: string): DuplicateId => new DuplicateId(`The token id ${id} is taken.`)

const valuesOf = ({ record: { claims, depth, revoked_at, credential }, written }: NewToken): readonly Value[] => [
  claims.jti,
  claims.parent_token_id ?? null,
  depth,
  written,
  claims.exp * 1000,
  revoked_at ?? null,
  credential === undefined ? null : JSON.stringify(credential),
]

function* chains(tokenIds: readonly string[]): StoragePlan<ReadonlyMap<string, TokenChain>> {
  const found = new Map<string, TokenChain>()
  const list = padded(tokenIds)
  const stored = yield* rows(selves(list.marks), ...list.values)
  const children = stored.filter((token) => token['parent_token_id'] !== null)
  for (const token of stored) found.set(textColumn(token, 'token_id'), [tokenRecordOf(token)])
  if (children.length === 0) return found
  const below = padded(children.map((child) => textColumn(child, 'token_id')))
  const chains = new Map<string, TokenChain>()
  for (const token of yield* rows(ancestors(below.marks), ...below.values)) {
    const leaf = textColumn(token, 'leaf')
    const above = chains.get(leaf)
    chains.set(leaf, above === undefined ? [tokenRecordOf(token)] : [...above, tokenRecordOf(token)])
  }
  return new Map([...found, ...chains])
}

function* revoke(
  tokenId: string,
  at: number,
  event: OutgoingEvent | undefined,
): StoragePlan<WriteOutcome<number | undefined>> {
  const revoked = yield* row(REVOKE, at, tokenId)
  if (revoked === undefined) return keep(undefined)
  if (event !== undefined) yield* addEvent(event)
  const count = yield* row(DESCENDANTS, tokenId)
  return keep(count === undefined ? 0 : integer(count, 'descendants'))
}

export function tokenRecordOf(stored: Row): TokenRecord {
  const revokedAt = optionalInteger(stored, 'revoked_at')
  const claims = json<DelegationClaims>(stored, 'claims')
  return {
    claims,
    depth: integer(stored, 'depth'),
    ...(revokedAt !== undefined && { revoked_at: revokedAt }),
    ...(optionalText(stored, 'credential') !== null && { credential: json<ProvenBy>(stored, 'credential') }),
    ...(integer(stored, 'expires_at') !== claims.exp * 1000 && { isAltered: true as const }),
  }
}
