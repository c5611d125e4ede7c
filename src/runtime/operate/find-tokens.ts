import type { ListedToken, TokenList, TokenState } from '../../protocol/operator.js'
import { fromMinorUnits } from '../../protocol/money.js'
import type { TokenRecord } from '../../protocol/token.js'
import { present } from '../json/present.js'
import type { Service } from '../service.js'
import type { TokenFilter } from '../storage/contract.js'
import { listedToken } from './listed-token.js'

/** Most pages of tokens to examine for one page of results; the cursor continues. */
const MOST_PAGES = 10

/** A page of tokens; the state is that of the whole chain, so it is judged after reading. */
export async function findTokens(service: Service, filter: TokenFilter, state?: TokenState): Promise<TokenList> {
  const found: ListedToken[] = []
  let { after } = filter
  for (let page = 0; page < MOST_PAGES; page++) {
    const read = await readPage(service, present({ ...filter, after }))
    for (const token of read) {
      if (state !== undefined && token.state !== state) continue
      if (found.length === filter.limit) return pageOf(found, found.at(-1)!.token_id)
      found.push(token)
    }
    if (read.length < filter.limit) return pageOf(found, undefined)
    after = read.at(-1)!.token_id
  }
  return pageOf(found, after)
}

const pageOf = (tokens: readonly ListedToken[], next_cursor: string | undefined): TokenList =>
  present({ tokens, count: tokens.length, next_cursor })

async function readPage(service: Service, filter: TokenFilter): Promise<readonly ListedToken[]> {
  const { storage, now } = service
  const records = await storage.operators.tokens(filter)
  const [chains, spent] = await Promise.all([
    Promise.all(records.map(({ claims }) => storage.tokens.chain(claims.jti))),
    Promise.all(records.map((record) => spentBy(service, record))),
  ])
  return records.map((record, index) =>
    present({ ...listedToken(record, chains[index] ?? [record], now()), spent: spent[index] }),
  )
}

/** Returns the amount spent and held of a cumulative budget. */
async function spentBy({ storage }: Service, { claims }: TokenRecord): Promise<number | undefined> {
  const { budget } = claims.constraints
  if (budget?.mode !== 'cumulative') return undefined
  return fromMinorUnits(await storage.ledger.spent(claims.jti), budget.currency).amount
}
