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
import { isGivenStill } from '../approvals/lent-authority.js'
import { gatedStepOf, progressDigest } from '../approvals/gated-step.js'

/** A grant as stored, the request that it came from, and whether both are still what was signed. */
export async function presentedGrant(service: Service, grantId: string): Promise<PresentedGrant | undefined> {
  const stored = await service.storage.approvals.grant(grantId)
  if (stored === undefined) return undefined
  const request = await service.storage.approvals.get(stored.grant.approval_request_id)
  const isGenuine = isSignedHere(service, stored.grant) && hasKeptStep(stored, request)
  if (!isGenuine) service.alarms.add('grant_integrity')
  const asked = await service.storage.tokens.chain(stored.grant.requester.token_id)
  const isStillGiven = request === undefined || (await isGivenStill(service, stored, request))
  return present({ ...stored, request, isGenuine, isStillGiven, path: asked && subjectsOf(asked) })
}

function isSignedHere(service: Service, { signature, ...grant }: ApprovalGrant): boolean {
  const keys = verificationKeys(service.keys.ring(), 'tokens', service.now())
  return verifyDetached(signature, canonicalBytes(grant), keys) !== undefined
}

/** Holds when the steps that a continuation would not run again gave what they gave when the grant was signed. */
function hasKeptStep({ grant: { step }, isRevoked }: StoredGrant, request: StoredRequest | undefined): boolean {
  // What was erased cannot be compared, and has ended: nothing goes on from it.
  if (request === undefined) return true
  if (request.isErased === true) return isRevoked
  if (step === undefined) return request.step === undefined && request.progress === undefined
  return sameJson(step, gatedStepOf(request)) && step.progress_digest === progressDigest(request.progress)
}
