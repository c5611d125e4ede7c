import type { ListedToken, TokenState } from '../../protocol/operator.js'
import type { TokenChain, TokenRecord } from '../../protocol/token.js'
import { present } from '../json/present.js'
import { timestamp } from '../json/timestamp.js'

/** A token as an operator reads it: its claims, what bought it, and whether it or one above it has ended. */
export function listedToken({ claims, depth, credential }: TokenRecord, chain: TokenChain, now: number): ListedToken {
  return present({
    token_id: claims.jti,
    parent_token_id: claims.parent_token_id,
    root_principal: claims.root_principal,
    subject: claims.sub,
    scope: claims.scope,
    capability: claims.capability,
    budget: claims.constraints.budget,
    task_id: claims.purpose.task_id,
    depth,
    state: stateOf(chain, now),
    credential,
    issued_at: timestamp(claims.iat * 1000),
    expires_at: timestamp(claims.exp * 1000),
  })
}

function stateOf(chain: TokenChain, now: number): TokenState {
  if (chain.some(({ revoked_at }) => revoked_at !== undefined)) return 'revoked'
  return chain.some(({ claims }) => claims.exp * 1000 <= now) ? 'expired' : 'live'
}
