import { bearerOf, claimsToBeDelegation } from '../authn/bearer.js'
import { tokenOf, type Token } from '../authn/token.js'
import { refuse } from '../refusal.js'
import type { Service } from '../service.js'
import type { Call } from './endpoint.js'

/** The token of a call that takes delegation JWTs only (section 4). */
export async function delegationOf(service: Service, { authorization, caller }: Call): Promise<Token> {
  const bearer = bearerOf(authorization)
  if (!claimsToBeDelegation(bearer)) return refuse('invalid_token', 'A delegation token is required here.')
  const token = await tokenOf(service, bearer)
  if (token.claims.caller_class !== undefined) caller.class = token.claims.caller_class
  return token
}
