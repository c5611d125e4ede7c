/** Ownership of approval requests, by those who may read them (section 4.7; docs/decisions/who-may-name-whom.md). */
import { isSameCredential } from '../../protocol/credential.js'
import { reachesNoFurther } from '../auth/root-authority.js'
import { present } from '../json/present.js'
import type { Service } from '../service.js'
import type { StoredRequest } from '../storage/contract.js'
import type { Party } from './approver.js'
import { isSameList } from './delegation-path.js'

/**
 * True for the root principal itself, by a credential or by tokens in its own name all the way: it sees the requests of
 * everyone who acts for it. A delegate of a service or an agent may name that, too, and is not it.
 */
export const isRootParty = ({ rootPrincipal, principals }: Party): boolean =>
  principals.every((each) => each === rootPrincipal)

/**
 * Holds for the root principal where its token, its credential, or the one behind its token, began the chain of a
 * request, and else within its scopes and classes, as for revocations (threat N03).
 */
export async function isWithinCredential(
  { manifest, storage }: Service,
  { chain, credential, bounds, classes }: Party,
  { requester, scope }: StoredRequest,
): Promise<boolean> {
  const asked = await storage.tokens.chain(requester.token_id)
  if (asked?.some(({ claims }) => claims.jti === chain.at(-1)) === true) return true
  const buyer = asked?.[0].credential
  // A token of the requester's is bounded only where it is known that another credential bought it.
  if (chain.length > 0 && (buyer === undefined || credential === undefined)) return true
  if (buyer !== undefined && credential !== undefined && isSameCredential(buyer, credential)) return true
  const caller_class = asked?.at(-1)!.claims.caller_class
  return reachesNoFurther(manifest, present({ scopes: bounds, caller_classes: classes }), { scope, caller_class })
}

/**
 * Holds for the root principal within its credential, and for a token of the requester that was handed on by the same
 * names: a subject is a name, and whoever may delegate can name a sibling.
 */
export async function isOwnRequest(service: Service, party: Party, request: StoredRequest): Promise<boolean> {
  const { requester } = request
  if (requester.root_principal !== party.rootPrincipal) return false
  if (isRootParty(party)) return isWithinCredential(service, party, request)
  if (requester.subject !== party.principal) return false
  const asked = (await service.storage.tokens.chain(requester.token_id)) ?? []
  return isSameList(
    asked.map(({ claims }) => claims.sub),
    party.principals.slice(1),
  )
}
