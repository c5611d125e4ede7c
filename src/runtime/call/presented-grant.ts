import { canonicalBytes } from '../../crypto/json/canonical.js'
import { verifyDetached } from '../../crypto/jws/jws.js'
import { verificationKeys } from '../../crypto/keys/key-ring.js'
import type { ApprovalGrant } from '../../protocol/approval.js'
import type { PresentedGrant } from './facts/facts.js'
import { present } from '../json/present.js'
import { sameJson } from '../json/same-json.js'
import type { Service } from '../service.js'
import type { StoredGrant, StoredRequest } from '../storage/contract.js'
import { subjectsOf } from '../approvals/delegation-path.js'
import { recordApproval } from '../approvals/record-approval.js'
import { hasSayStill } from '../approvals/standing-approvals.js'
import { gatedStepOf, progressDigest } from '../approvals/gated-step.js'

/** A grant as stored, the request that it came from, and whether both are still what was signed. */
export async function presentedGrant(service: Service, grantId: string): Promise<PresentedGrant | undefined> {
  const stored = await service.storage.approvals.grant(grantId)
  if (stored === undefined) return undefined
  const request = await service.storage.approvals.get(stored.grant.approval_request_id)
  const isGenuine = isSignedHere(service, stored.grant) && hasKeptStep(stored.grant, request)
  if (!isGenuine) service.alarms.add('grant_integrity')
  const asked = await service.storage.tokens.chain(stored.grant.requester.token_id)
  const isStillGiven = request === undefined || (await isGivenStill(service, stored, request))
  return present({ ...stored, request, isGenuine, isStillGiven, path: asked && subjectsOf(asked) })
}

/** A grant ends with the authority of whoever gave it (threat N35). */
async function isGivenStill(service: Service, stored: StoredGrant, request: StoredRequest): Promise<boolean> {
  const { grant, givenBy, givenWith, isRevoked } = stored
  const last = present({ approver: grant.approver, by: givenBy, credential: givenWith })
  const all = [last, ...(request.approvals_needed === undefined ? [] : await givenTo(service, request))]
  const says = await Promise.all(all.map((each) => hasSayStill(service, request, each)))
  if (says.every((each) => each)) return true
  if (!isRevoked && (await service.storage.approvals.revokeGrant(grant.grant_id)) !== undefined)
    await recordApproval(service, 'grant_revoked', request, {
      principal: 'service:approvals',
      grantId: grant.grant_id,
      reason: 'Who approved is blocked, or may not approve any more.',
    })
  return false
}

const givenTo = ({ storage }: Service, { approval_request_id }: StoredRequest) =>
  storage.approvals.given(approval_request_id)

function isSignedHere(service: Service, { signature, ...grant }: ApprovalGrant): boolean {
  const keys = verificationKeys(service.keys.ring(), 'tokens', service.now())
  return verifyDetached(signature, canonicalBytes(grant), keys) !== undefined
}

/** Holds when the steps that a continuation would not run again gave what they gave when the grant was signed. */
function hasKeptStep({ step }: ApprovalGrant, request: StoredRequest | undefined): boolean {
  // What was erased cannot be compared, and has ended: nothing goes on from it.
  if (request === undefined || request.isErased === true) return true
  if (step === undefined) return request.step === undefined && request.progress === undefined
  return sameJson(step, gatedStepOf(request)) && step.progress_digest === progressDigest(request.progress)
}
