import { revoke as revokeToken } from '../auth/revoke.js'
import { bearerOf, claimsToBeDelegation } from '../credentials/bearer.js'
import { identityOf } from '../auth/bootstrap.js'
import { credentialBehind, mayEnd } from '../auth/credential-bounds.js'
import { tokenOf } from '../auth/token.js'
import type { ProvenBy } from '../../protocol/credential.js'
import type { TokenChain } from '../../protocol/token.js'
import { idMember } from '../request/ids.js'
import { membersOf } from '../request/members.js'
import { refuse } from '../errors/refusal.js'
import type { Service } from '../service.js'
import { identified } from '../endpoint/delegation.js'
import { ok, type Call, type Endpoint } from '../endpoint/endpoint.js'

/**
 * POST /svc/tokens/revoke: by the root principal, or by the holder of the token or of an ancestor (decisions, section
 * 3).
 */
export const revokeEndpoint: Endpoint = async (service, call) => {
  const bearer = bearerOf(call.authorization)
  const actor = await actorOf(service, bearer, call)
  const tokenId = idMember(membersOf(await call.body(), ['token_id']), 'token_id', 'token')
  if (tokenId === undefined) return refuse('invalid_parameters', 'The member token_id is required.')
  const chain = await service.storage.tokens.chain(tokenId)
  if (chain === undefined || !actor.mayEnd(chain))
    return refuse('insufficient_authority', 'There is no such token that this credential may revoke.')
  return ok(await revokeToken(service, chain, actor))
}

interface Actor {
  readonly principal: string
  readonly credential: ProvenBy | undefined
  mayEnd(chain: TokenChain): boolean
}

async function actorOf(service: Service, bearer: string, call: Call): Promise<Actor> {
  if (!claimsToBeDelegation(bearer)) {
    const identity = await identityOf(service, bearer, call.client)
    const { principal, credential } = identity
    call.caller.principal = principal
    return { principal, credential, mayEnd: (chain) => mayEnd(service.manifest, identity, chain) }
  }
  const { claims, chain: own } = identified(call, await tokenOf(service, bearer))
  const credential = credentialBehind(own)
  return { principal: claims.sub, credential, mayEnd: (chain) => chain.some((link) => link.claims.jti === claims.jti) }
}
