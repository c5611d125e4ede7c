import { childAuthority } from './child-authority.js'
import { issue } from './issue.js'
import { rootAuthority } from './root-authority.js'
import { assertStanding } from './token.js'
import { tokenRequestOf } from './token-request.js'
import type { Identity } from '../definition.js'
import type { JsonObject } from '../../protocol/manifest.js'
import type { TokenRequest, TokenResponse } from '../../protocol/token.js'
import { present } from '../json/present.js'
import { refuse } from '../errors/refusal.js'
import type { Service } from '../service.js'

/** Request of a token for one capability; its scope is always explicit (section 4.4, runtime helpers). */
export type BoundTokenRequest = Omit<TokenRequest, 'parent_token' | 'capability'>

/**
 * Issues a root token bound to one capability, for a principal that the caller has authenticated. Rejects with a
 * `Refusal` whose
 * `failure` says why, when the identity is not entitled to what is asked, or the endpoint would not take it.
 */
export async function issueRootToken(
  service: Service,
  identity: Identity,
  capability: string,
  request: BoundTokenRequest,
): Promise<TokenResponse> {
  const asked = askedFor(service, capability, request)
  return issue(service, rootAuthority(service.manifest, identity, asked, seconds(service)), [])
}

/**
 * Issues a child of a stored token, bound to one capability. Rejects with a `Refusal` when the parent is unknown, has
 * ended, or has less than what is asked, or the endpoint would not take it.
 */
export async function issueChildToken(
  service: Service,
  parentTokenId: string,
  capability: string,
  request: BoundTokenRequest,
): Promise<TokenResponse> {
  const chain = await service.storage.tokens.chain(parentTokenId)
  if (chain === undefined) return refuse('insufficient_authority', 'There is no such parent token.')
  if (!service.capabilities.has(capability))
    return refuse('unknown_capability', `There is no capability ${capability}.`)
  assertStanding(service, chain)
  const asked = askedFor(service, capability, request)
  return issue(service, childAuthority(service.manifest.limits, chain.at(-1)!, asked, seconds(service)), chain)
}

/** Read as the endpoint reads it: what a caller of the service sent may have been passed on. */
const askedFor = ({ limits }: Service, capability: string, request: BoundTokenRequest): TokenRequest =>
  tokenRequestOf(present({ ...request, capability }) as object as JsonObject, limits)

const seconds = (service: Service): number => Math.floor(service.now() / 1000)
