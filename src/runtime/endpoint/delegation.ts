import { bearerOf, claimsToBeDelegation } from '../credentials/bearer.js'
import { tokenOf, type Token } from '../auth/token.js'
import { refuse } from '../errors/refusal.js'
import type { Service } from '../service.js'
import type { Call } from './endpoint.js'

/** The token of a call that takes delegation JWTs only (section 4). */
export async function delegationOf(service: Service, call: Call): Promise<Token> {
  if (call.token !== undefined) return identified(call, call.token)
  const bearer = bearerOf(call.authorization)
  if (!claimsToBeDelegation(bearer))
    return refuse(
      'invalid_token',
      'A delegation token is required. Exchange your credential for one at POST /svc/tokens.',
    )
  return identified(call, await tokenOf(service, bearer))
}

/** Notes whose call it is: from now on failures say as much as this class of callers may read. */
export function identified(call: Pick<Call, 'caller'>, token: Token): Token {
  call.caller.principal = token.claims.root_principal
  call.caller.tokenId = token.claims.jti
  call.caller.chain = token.chain.map((link) => link.claims.jti)
  if (token.claims.caller_class !== undefined) call.caller.class = token.claims.caller_class
  return token
}
