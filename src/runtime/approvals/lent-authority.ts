/** Authority that was lent by approvals and is not used yet: it ends with the authority of whoever gave it (N35). */
import { isAccount } from '../../protocol/credential.js'
import { foldOf } from '../../protocol/fold.js'
import type { BlockKind } from '../../protocol/operator.js'
import type { Principal } from '../../protocol/principals.js'
import { present } from '../json/present.js'
import type { Service } from '../service.js'
import type { LentApproval, StoredGrant, StoredRequest } from '../storage/contract.js'
import { recordApproval } from './record-approval.js'
import { hasSayStill } from './standing-approvals.js'

/**
 * Ends unspent grants, and partial approvals, of whoever is blocked or has lost a key, as soon as that is so: all of
 * them, also where one cannot be recorded.
 */
export async function endLent(service: Service, kind: BlockKind, value: string): Promise<void> {
  const { approvals } = service.storage
  const isMeant = await meantBy(service, kind, value)
  const failures: unknown[] = []
  for (const { approval_request_id, grant_id, approver } of (await approvals.lent()).filter(isMeant)) {
    const ending = grant_id === undefined ? approvals.lapse(approval_request_id, approver) : endGrant(service, grant_id)
    await ending.catch((error: unknown) => void failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}

async function meantBy({ storage }: Service, kind: BlockKind, value: string): Promise<(lent: LentApproval) => boolean> {
  if (kind === 'api_key')
    return ({ credential }) => credential !== undefined && !isAccount(credential) && credential.api_key === value
  const names = new Set((await storage.accounts.everyNameOf([value as Principal])).map(foldOf))
  return ({ approver, by = [] }) => [approver, ...by].some((name) => names.has(foldOf(name)))
}

async function endGrant(service: Service, grantId: string): Promise<void> {
  const stored = await service.storage.approvals.grant(grantId)
  const request = stored && (await service.storage.approvals.get(stored.grant.approval_request_id))
  if (stored !== undefined && request !== undefined) await isGivenStill(service, stored, request)
}

/** Holds while everybody who gave a grant may give it. Ends it where somebody may not. */
export async function isGivenStill(service: Service, stored: StoredGrant, request: StoredRequest): Promise<boolean> {
  const { grant, givenBy, givenWith, isRevoked } = stored
  const last = present({ approver: grant.approver, by: givenBy, credential: givenWith })
  const all = [last, ...(request.approvals_needed === undefined ? [] : await givenTo(service, request))]
  const says = await Promise.all(all.map((each) => hasSayStill(service, request, each)))
  if (says.every((each) => each)) return true
  if (!isRevoked && (await service.storage.approvals.revokeGrant(grant.grant_id)) !== undefined)
    await recordApproval(service, 'grant_revoked', request, {
      principal: 'service:approvals',
      grantId: grant.grant_id,
      reason: 'The approver is blocked, or may no longer approve.',
    })
  return false
}

const givenTo = ({ storage }: Service, { approval_request_id }: StoredRequest) =>
  storage.approvals.given(approval_request_id)
