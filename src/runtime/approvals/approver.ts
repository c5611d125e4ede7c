import { tierScopes } from '../../protocol/approver-scopes.js'
import { isAnyOf } from '../../protocol/fold.js'
import { approverScope } from '../../protocol/identifiers.js'
import type { ApprovalRequest, Requester } from '../../protocol/approval.js'
import type { ApprovalSettings } from '../../protocol/manifest.js'
import type { ProvenBy } from '../../protocol/credential.js'
import { present } from '../json/present.js'
import type { Role } from '../../protocol/roles.js'
import type { Principal } from '../../protocol/principals.js'
import type { TokenChain } from '../../protocol/token.js'
import { bearerOf, claimsToBeDelegation } from '../credentials/bearer.js'
import { identityOf } from '../auth/bootstrap.js'
import { isPerson } from '../auth/authority.js'
import { credentialBehind, isProven } from '../auth/credential-bounds.js'
import { tokenOf } from '../auth/token.js'
import { refuse } from '../errors/refusal.js'
import type { Service } from '../service.js'
import type { RequestDecision, StoredRequest } from '../storage/contract.js'
import { isSeparated, maySpeakInApproval } from './separation.js'

/** Party to an approval: an approver with a credential or a token, or a requester about their own request. */
export interface Party {
  readonly principal: Principal
  readonly rootPrincipal: Principal
  /** Everyone whose authority the credential is: its principal alone, or those of a token's whole chain. */
  readonly principals: readonly Principal[]
  readonly scopes: readonly string[]
  /** The scopes that the credential or token is limited to, where it is. */
  readonly bounds?: readonly string[]
  /** The classes that the credential may name, or the one that the token has. */
  readonly classes?: readonly string[]
  /** Token ids, root first; empty for a bootstrap credential. */
  readonly chain: readonly string[]
  /** API key or account behind it, if known. */
  readonly credential?: ProvenBy
  /** Roles of the bootstrap credential; no token carries a role (threat N25). */
  readonly roles?: readonly Role[]
  /** Holds for a token in the name of a person who has shown no credential: whoever issued it may hold it, too. */
  readonly isNameOnly?: true
  /** Holds for a token in the name of anybody who has shown no credential, an agent or a service, too. */
  readonly isNamed?: true
}

/** Known facts about a caller. */
interface Caller {
  readonly authorization: string | null
  readonly client: string
  readonly caller: { class?: string; principal?: string; tokenId?: string; chain?: readonly string[] }
}

/** The party behind a credential (section 4.7, rule 1). */
export async function partyOf(service: Service, call: Caller): Promise<Party> {
  const bearer = bearerOf(call.authorization)
  if (!claimsToBeDelegation(bearer)) {
    const known = await identityOf(service, bearer, call.client)
    const { principal, scopes: bounds, caller_classes: classes, credential, roles } = known
    call.caller.principal = principal
    const own = { principal, rootPrincipal: principal, principals: [principal] }
    return present({ ...own, scopes: bounds ?? [], bounds, classes, chain: [], credential, roles })
  }
  const { claims, chain } = await tokenOf(service, bearer)
  call.caller.principal = claims.root_principal
  call.caller.tokenId = claims.jti
  call.caller.chain = chain.map((link) => link.claims.jti)
  if (claims.caller_class !== undefined) call.caller.class = claims.caller_class
  return present({
    principal: claims.sub,
    rootPrincipal: claims.root_principal,
    principals: [claims.root_principal, ...chain.map((link) => link.claims.sub)],
    scopes: claims.scope,
    bounds: claims.scope,
    classes: claims.caller_class === undefined ? undefined : [claims.caller_class],
    chain: call.caller.chain,
    credential: credentialBehind(chain),
    isNameOnly: isNameOnly(chain),
    isNamed: isProven(chain, claims.sub) ? undefined : (true as const),
  })
}

const isNameOnly = (chain: TokenChain): true | undefined => {
  const { sub } = chain.at(-1)!.claims
  return isPerson(sub) && !isProven(chain, sub) ? true : undefined
}

/**
 * Holds when the party may decide about a request: by the scope of its tier alone, else by that of its capability or of
 * the service.
 */
export function mayApprove(service: Service, party: Pick<Party, 'scopes'>, request: Gated): boolean {
  const { capability, approver_scope: tier } = request
  return tier === undefined ? hasApproverScope(service, party, capability) : party.scopes.includes(tier)
}

type Gated = Pick<ApprovalRequest, 'capability' | 'approver_scope'>

/** Holds when the party may decide about a capability: by its own approver scope, or by the service's. */
export function hasApproverScope(
  { manifest }: Service,
  { scopes }: Pick<Party, 'scopes'>,
  capability: string,
): boolean {
  const { approver_scope } = manifest.approvals
  return scopes.includes(approverScope(capability)) || (approver_scope !== undefined && scopes.includes(approver_scope))
}

/** The capabilities that the party may decide about. */
export const approvableBy = (service: Service, party: Party): readonly string[] =>
  [...service.capabilities.keys()].filter((name) => hasApproverScope(service, party, name))

/** The scopes of tiers that the party has. */
export const tiersOf = ({ manifest }: Service, { scopes }: Pick<Party, 'scopes'>): readonly string[] =>
  tierScopes(manifest.capabilities).filter((scope) => scopes.includes(scope))

/**
 * The request that a party may decide; authority comes after loading, but who has none at all learns nothing (section
 * 4.7).
 */
export async function requestToDecide(service: Service, party: Party, requestId: string): Promise<StoredRequest> {
  const request = await service.storage.approvals.get(requestId)
  if (request === undefined && (approvableBy(service, party).length > 0 || tiersOf(service, party).length > 0))
    return refuse('approval_request_not_found', 'There is no such approval request.')
  if (request === undefined || !(await mayDecide(service, party, request)))
    return refuse('approver_not_authorized', 'This credential may not decide this request.', APPROVER)
  if (request.status !== 'pending')
    return refuse('approval_request_closed', `The approval request is ${request.status} already.`)
  return request
}

/** Names no scope of this very request: who may not decide it does not learn what it is about (section 4.7). */
const APPROVER = {
  requires:
    'approver:<capability> of the capability, the approver scope of the service (approvals.approver_scope), or that ' +
    'of the tier, held by somebody else than the requester',
}

async function mayDecide(service: Service, party: Party, request: ApprovalRequest): Promise<boolean> {
  if (party.isNameOnly === true || !mayApprove(service, party, request)) return false
  return isOther(service, party, request)
}

/**
 * Holds for whoever is neither the requester nor uses, or lends, the requester's authority, by whichever name, however
 * it is written (threats G01, N01, N32).
 */
export async function isOther(
  service: Service,
  party: Pick<Party, 'principal' | 'principals' | 'chain'>,
  { requester }: Pick<ApprovalRequest, 'requester'>,
): Promise<boolean> {
  const { approvals } = service.manifest
  if (!isSeparated(approvals, requester, party.principal) || !maySpeakInApproval(approvals, party.principals))
    return false
  const above = (await service.storage.tokens.chain(requester.token_id)) ?? []
  const { accounts } = service.storage
  const names = await accounts.namesOf(whoseAuthorityIsUsed(approvals, requester, above))
  if (isAnyOf(await accounts.namesOf(party.principals), names)) return false
  return !sharesChain(party, requester.token_id, above)
}

/**
 * Returns the requester and, unless duties need not be separated, everyone above in the chain: the requester uses
 * their authority (threat G01).
 */
const whoseAuthorityIsUsed = (
  { separation_of_duties }: ApprovalSettings,
  { subject, root_principal }: Requester,
  above: TokenChain | readonly [],
): readonly Principal[] =>
  separation_of_duties ? [subject, root_principal, ...above.map(({ claims }) => claims.sub)] : [subject]

/** Holds for tokens in the requester's chain, above or below it. */
const sharesChain = ({ chain }: Pick<Party, 'chain'>, tokenId: string, above: TokenChain | readonly []): boolean =>
  chain.includes(tokenId) || above.some((link) => link.claims.jti === chain.at(-1))

/** Returns the decision of a party, with its authority. */
export const decisionOf = (party: Party, decided_at: string, reason: string | null): RequestDecision => ({
  approver: party.principal,
  credential: party.credential,
  by: party.principals,
  decided_at,
  reason,
  standing: party.chain,
})
