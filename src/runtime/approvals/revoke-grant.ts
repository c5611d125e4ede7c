import type { GrantRevocation } from '../../protocol/approval.js'
import { refuse } from '../errors/refusal.js'
import type { Service } from '../service.js'
import type { StoredGrant } from '../storage/contract.js'
import { mayApprove, type Party } from './approver.js'
import { isSameList } from './delegation-path.js'
import { recordApproval } from './record-approval.js'

/**
 * Takes back what is left of a grant, for an operator and for whoever gave it, by whichever of their names (decisions,
 * section 10).
 */
export async function revokeGrant(
  service: Service,
  party: Party,
  grantId: string,
  reason: string | undefined,
): Promise<GrantRevocation> {
  const { approvals } = service.storage
  const stored = await approvals.grant(grantId)
  if (stored === undefined || !(await isGiver(service, party, stored)))
    return refuse('approval_request_not_found', 'There is no such grant that this credential gave.')
  const request = await approvals.revokeGrant(grantId)
  if (request === undefined) return refuse('approval_request_closed', 'The grant is spent, revoked or over.')
  await recordApproval(service, 'grant_revoked', request, { ...party, grantId, reason })
  return { revoked: true, grant_id: grantId, approval_request_id: request.approval_request_id }
}

/** A token that only names its subject is of the giver when the same names handed it on as the one that decided. */
async function isGiver(service: Service, party: Party, { grant, givenBy, tier }: StoredGrant): Promise<boolean> {
  const { approver, capability } = grant
  if (party.roles?.includes('operator') === true) return true
  if (party.isNameOnly === true) return false
  const isCredential = party.chain.length === 0
  if (isCredential && !mayApprove(service, party, { capability, ...(tier && { approver_scope: tier }) })) return false
  const all = await service.storage.approvals.given(grant.approval_request_id)
  const paths = [givenBy ?? [], ...all.map(({ by = [] }) => by)]
  if (party.isNamed === true && !paths.some((path) => isSameList(path, party.principals))) return false
  const givers = [approver, ...all.map((given) => given.approver)]
  return (await service.storage.accounts.namesOf(givers)).includes(party.principal)
}
