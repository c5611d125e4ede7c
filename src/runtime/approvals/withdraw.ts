import { approvalEvent } from '../events/event.js'
import { isSameList } from './delegation-path.js'
import { refuse } from '../errors/refusal.js'
import { timestamp } from '../json/timestamp.js'
import type { Service } from '../service.js'
import type { StoredRequest } from '../storage/contract.js'
import type { Party } from './approver.js'
import { isRootParty, isWithinCredential } from './own-request.js'
import { recordApproval } from './record-approval.js'

/**
 * Takes a request back, or what is left of its grant, for the requester or whoever it acts for (decisions, section 10).
 */
export async function withdrawApproval(service: Service, party: Party, id: string): Promise<StoredRequest> {
  const request = await service.storage.approvals.get(id)
  if (request === undefined || !(await mayWithdraw(service, party, request)))
    return refuse('approval_request_not_found', 'There is no such approval request.')
  const event = approvalEvent(service, 'approval.withdrawn', request)
  const withdrawn = await service.storage.approvals.withdraw(id, timestamp(service.now()), event)
  if (withdrawn === undefined) return refuseClosed(await service.storage.approvals.get(id), request)
  await recordApproval(service, 'approval_withdrawn', withdrawn, {
    principal: party.principal,
    credential: party.credential,
  })
  return withdrawn
}

/**
 * The requester by the same delegations, a token above the requester's, or the root principal's credential within what
 * it is entitled to.
 */
async function mayWithdraw(service: Service, party: Party, request: StoredRequest): Promise<boolean> {
  const { requester } = request
  if (party.rootPrincipal !== requester.root_principal) return false
  if (isRootParty(party)) return isWithinCredential(service, party, request)
  const above = (await service.storage.tokens.chain(requester.token_id)) ?? []
  const names = above.map(({ claims }) => claims.sub)
  return above.some(({ claims }) => claims.jti === party.chain.at(-1)) || isSameList(names, party.principals.slice(1))
}

const refuseClosed = (now: StoredRequest | undefined, before: StoredRequest): never =>
  refuse(
    'approval_request_closed',
    (now ?? before).status === 'approved'
      ? 'The grant of the approval request is spent or over.'
      : `The approval request is ${(now ?? before).status} already.`,
  )
