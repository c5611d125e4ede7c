import { bearerOf, claimsToBeDelegation } from '../credentials/bearer.js'
import type { Known } from '../credentials/known.js'
import { buyerOf } from '../auth/bootstrap.js'
import { assertWithinCredential, isHeldBy } from '../auth/credential-bounds.js'
import { childAuthority } from '../auth/child-authority.js'
import { issue } from '../auth/issue.js'
import { forActor, rootAuthority } from '../auth/root-authority.js'
import { assertStanding, tokenOf } from '../auth/token.js'
import { takeTokenPlace } from '../auth/token-rate.js'
import { tokenRequestOf } from '../auth/token-request.js'
import type { Principal } from '../../protocol/principals.js'
import type { TokenChain, TokenRequest, TokenResponse } from '../../protocol/token.js'
import { refuse } from '../errors/refusal.js'
import type { Service } from '../service.js'
import { identified } from '../endpoint/delegation.js'
import { ok, type Call, type Endpoint } from '../endpoint/endpoint.js'

/** POST /svc/tokens (section 4.4): a root token for a bootstrap credential, a narrower child for a parent's holder. */
export const tokens: Endpoint = async (service, call) => {
  const bearer = bearerOf(call.authorization)
  const response = claimsToBeDelegation(bearer)
    ? await delegate(service, bearer, call)
    : await bootstrap(service, bearer, call)
  return ok(response)
}

async function delegate(service: Service, bearer: string, call: Call): Promise<TokenResponse> {
  const { claims, chain } = identified(call, await tokenOf(service, bearer))
  const request = tokenRequestOf(await call.body(), service.limits)
  if (request.parent_token === undefined)
    return refuse('insufficient_authority', 'A delegation token issues child tokens only: name it as parent_token.')
  if (request.parent_token !== claims.jti) return refuseParent()
  if (request.subject === undefined)
    return refuse('invalid_parameters', 'The member subject is required beside a delegation token.')
  return issueChild(service, chain, request)
}

async function bootstrap(service: Service, bearer: string, call: Call): Promise<TokenResponse> {
  const identity = await buyerOf(service, bearer, call.client)
  call.caller.principal = identity.principal
  const request = tokenRequestOf(await call.body(), service.limits)
  if (identity.actor !== undefined) return issueToActor(service, identity, identity.actor, request)
  if (request.parent_token !== undefined) return issueHeld(service, identity, request.parent_token, request)
  await takeTokenPlace(service, identity.principal)
  return issue(service, rootAuthority(service.manifest, identity, request, seconds(service)), [], identity)
}

/** A root token of an agent that acts for a person: made out to the agent, whatever the credential is of (section 21). */
async function issueToActor(
  service: Service,
  by: Known,
  actor: Principal,
  request: TokenRequest,
): Promise<TokenResponse> {
  if (request.parent_token !== undefined) return refuseParent()
  if (request.subject !== undefined && request.subject !== actor)
    return refuse(
      'insufficient_authority',
      `By this credential ${actor} acts for ${by.principal}, and names nobody else.`,
    )
  await takeTokenPlace(service, by.principal)
  const asked = { ...request, subject: actor }
  const authority = rootAuthority(service.manifest, forActor(service.manifest, by), asked, seconds(service))
  return issue(service, authority, [], by)
}

/** A child of a parent whose subject presents a credential: no more than the parent has, nor the credential may buy. */
async function issueHeld(service: Service, by: Known, parent: string, request: TokenRequest): Promise<TokenResponse> {
  const chain = await parentHeldBy(service, by, parent)
  assertWithinCredential(service.manifest, by, chain, request)
  return issueChild(service, chain, request, by)
}

/** The chain of a parent that a credential may delegate from. Unknown, foreign and ended parents look the same. */
async function parentHeldBy(service: Service, by: Known, tokenId: string): Promise<TokenChain> {
  const chain = await service.storage.tokens.chain(tokenId)
  const isUsable =
    chain !== undefined &&
    isHeldBy(by, chain) &&
    chain.every((link) => link.revoked_at === undefined && !isOver(service, link.claims.exp))
  return isUsable ? chain : refuseParent()
}

const isOver = (service: Service, exp: number): boolean => exp * 1000 <= service.now()

const refuseParent = (): never =>
  refuse('insufficient_authority', 'The parent token does not exist or may not be delegated with this credential.')

async function issueChild(
  service: Service,
  chain: TokenChain,
  request: TokenRequest,
  by?: Known,
): Promise<TokenResponse> {
  assertStanding(service, chain)
  const parent = chain.at(-1)!
  if (request.capability !== undefined && !service.capabilities.has(request.capability))
    return refuse('unknown_capability', `There is no capability ${request.capability}.`)
  await takeTokenPlace(service, parent.claims.root_principal)
  return issue(service, childAuthority(service.manifest.limits, parent, request, seconds(service)), chain, by)
}

const seconds = (service: Service): number => Math.floor(service.now() / 1000)
