import { canonicalBytes } from '../../crypto/canonical.js'
import { verifyDetached } from '../../crypto/jws.js'
import { verificationKeys } from '../../crypto/key-ring.js'
import type { ApprovalGrant } from '../../protocol/approval.js'
import type { PresentedGrant } from '../checks/facts.js'
import { present } from '../present.js'
import type { Service } from '../service.js'

/** A grant as stored, the request that it came from, and whether its signature still holds. */
export async function presentedGrant(service: Service, grantId: string): Promise<PresentedGrant | undefined> {
  const stored = await service.storage.approvals.grant(grantId)
  if (stored === undefined) return undefined
  const request = await service.storage.approvals.get(stored.grant.approval_request_id)
  return present({ ...stored, request, signatureVerifies: isSignedHere(service, stored.grant) })
}

function isSignedHere(service: Service, { signature, ...grant }: ApprovalGrant): boolean {
  const keys = verificationKeys(service.keys.ring(), 'tokens', service.now())
  const signed = verifyDetached(signature, canonicalBytes(grant), keys) !== undefined
  if (!signed) service.alarms.add('grant_integrity')
  return signed
}
