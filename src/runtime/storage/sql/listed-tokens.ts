/** Tokens as operators find and end them (decisions, section 13). */
import { foldOf } from '../../../protocol/fold.js'
import type { TokenTarget } from '../../../protocol/operator.js'
import type { DelegationClaims, TokenRecord } from '../../../protocol/token.js'
import type { TokenFilter } from '../operator-store.js'
import type { OutgoingEvent } from '../outbox-store.js'
import { integer, json, textColumn } from './columns.js'
import { padded } from './insert-many.js'
import { addEvent } from './outbox.js'
import { keep, rows, type WriteOutcome, type StoragePlan, type Value } from './plan.js'
import { TOKEN_COLUMNS, tokenRecordOf } from './tokens.js'

const FILTERS = {
  principal: 'root_principal = ?',
  subject: 'subject = ?',
  api_key: 'api_key = ?',
  capability: 'capability = ?',
} as const

/** Which tokens a target means; a principal's are those that it bought and those that were made out to it. */
const TARGETS: { readonly [target in TokenTarget]: readonly string[] } = {
  principal: ['root_principal', 'subject'],
  subject: ['subject'],
  api_key: ['api_key'],
  capability: ['capability'],
  token_id: ['token_id'],
}

export function* listStoredTokens({ limit, after = '', ...filter }: TokenFilter): StoragePlan<readonly TokenRecord[]> {
  const given = Object.entries(filter).filter((pair): pair is [keyof typeof FILTERS, string] => pair[1] !== undefined)
  const where = [...given.map(([name]) => FILTERS[name]), 'token_id > ?'].join(' and ')
  const sql = `select ${TOKEN_COLUMNS} from tokens where ${where} order by token_id limit ?`
  return (yield* rows(sql, ...given.map(([, value]) => value), after, limit)).map(tokenRecordOf)
}

export function* endStoredTokens(
  target: TokenTarget,
  values: readonly string[],
  at: number,
  event: OutgoingEvent | undefined,
): StoragePlan<WriteOutcome<readonly string[]>> {
  const columns = TARGETS[target]
  const list = padded(isNamed(target) ? yield* likeThese(columns, values) : values)
  const meant = columns.map((column) => `${column} in (${list.marks})`).join(' or ')
  // By its claims, which it is used by: the end in its row may have been set back (threat N08).
  const sql = `update tokens set revoked_at = ? where (${meant}) and revoked_at is null returning token_id, claims, :now as now`
  const named: readonly Value[] = columns.flatMap(() => list.values)
  const stored = yield* rows(sql, at, ...named)
  const stood = stored.filter((token) => json<DelegationClaims>(token, 'claims').exp * 1000 > integer(token, 'now'))
  const ended = stood.map((token) => textColumn(token, 'token_id'))
  if (ended.length > 0 && event !== undefined) yield* addEvent(event)
  return keep(ended)
}

const isNamed = (target: TokenTarget): boolean => target === 'principal' || target === 'subject'

/** The names that tokens have which are like the given ones, however they are written, beside these. */
function* likeThese(columns: readonly string[], values: readonly string[]): StoragePlan<readonly string[]> {
  const folds = new Set(values.map(foldOf))
  const found = new Set(values)
  for (const column of columns)
    for (const stored of yield* rows(namesIn(column), ''))
      if (folds.has(foldOf(textColumn(stored, 'name')))) found.add(textColumn(stored, 'name'))
  return [...found]
}

/** From each name to the next one by its index. */
const namesIn = (column: string): string => `
  with recursive names (name) as (
    select min(${column}) from tokens where ${column} > ?
    union all
    select (select min(next.${column}) from tokens next where next.${column} > names.name) from names
    where names.name is not null
  ) select name from names where name is not null`

/** From each key to the next one by the index of keys; those of whose tokens one stands. */
const BUYING = `
  with recursive buyers (api_key) as (
    select min(api_key) from tokens where api_key > ''
    union all
    select (select min(next.api_key) from tokens next where next.api_key > buyers.api_key) from buyers
    where buyers.api_key is not null
  ) select api_key from buyers where api_key is not null and exists (
    select 1 from tokens where tokens.api_key = buyers.api_key and revoked_at is null and expires_at > ?)`

export function* listBuyingApiKeys(now: number): StoragePlan<readonly string[]> {
  return (yield* rows(BUYING, now)).map((stored) => textColumn(stored, 'api_key'))
}
