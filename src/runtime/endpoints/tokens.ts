import { bearerOf, claimsToBeDelegation } from '../credentials/bearer.js'
import type { Known } from '../credentials/known.js'
import { identityOf } from '../auth/bootstrap.js'
import { assertWithinCredential, isHeldBy } from '../auth/credential-bounds.js'
import { childAuthority } from '../auth/child-authority.js'
import { issue } from '../auth/issue.js'
import { rootAuthority } from '../auth/root-authority.js'
import { assertStanding, tokenOf } from '../auth/token.js'
import { takeTokenPlace } from '../auth/token-rate.js'
import { tokenRequestOf } from '../auth/token-request.js'
import type { ProvenBy } from '../../protocol/credential.js'
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
  const identity = await identityOf(service, bearer, call.client)
  call.caller.principal = identity.principal
  const request = tokenRequestOf(await call.body(), service.limits)
  if (request.parent_token !== undefined) return issueHeld(service, identity, request.parent_token, request)
  await takeTokenPlace(service, identity.principal)
  return issue(service, rootAuthority(service.manifest, identity, request, seconds(service)), [], identity.credential)
}

/** A child of a parent whose subject presents a credential: no more than the parent has, nor the credential may buy. */
async function issueHeld(service: Service, by: Known, parent: string, request: TokenRequest): Promise<TokenResponse> {
  const chain = await parentHeldBy(service, by, parent)
  assertWithinCredential(service.manifest, by, chain, request)
  return issueChild(service, chain, request, by.credential)
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
  credential?: ProvenBy,
): Promise<TokenResponse> {
  assertStanding(service, chain)
  const parent = chain.at(-1)!
  if (request.capability !== undefined && !service.capabilities.has(request.capability))
    return refuse('unknown_capability', `There is no capability ${request.capability}.`)
  await takeTokenPlace(service, parent.claims.root_principal)
  return issue(service, childAuthority(service.manifest.limits, parent, request, seconds(service)), chain, credential)
}

const seconds = (service: Service): number => Math.floor(service.now() / 1000)
