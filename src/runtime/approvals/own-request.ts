/** Whose an approval request is, for those who may read it (section 4.7; docs/decisions/who-may-name-whom.md). */
import type { Service } from '../service.js'
import type { StoredRequest } from '../storage/contract.js'
import type { Party } from './approver.js'
import { isSameList } from './delegation-path.js'

/** True for a credential of the root principal itself, which sees the requests of everyone who acts for it. */
export const isRootParty = ({ principal, rootPrincipal }: Party): boolean => principal === rootPrincipal

/**
 * Holds for the root principal, and for a token of the requester that was handed on by the same names: a subject is a
 * name, and whoever may delegate can name a sibling.
 */
export async function isOwnRequest(service: Service, party: Party, { requester }: StoredRequest): Promise<boolean> {
  if (requester.root_principal !== party.rootPrincipal) return false
  if (isRootParty(party)) return true
  if (requester.subject !== party.principal) return false
  const asked = (await service.storage.tokens.chain(requester.token_id)) ?? []
  return isSameList(
    asked.map(({ claims }) => claims.sub),
    party.principals.slice(1),
  )
}
