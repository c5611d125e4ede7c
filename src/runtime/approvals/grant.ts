import { LONGEST_MS } from '../../protocol/durations.js'
import { canonicalBytes } from '../../crypto/json/canonical.js'
import { signDetached } from '../../crypto/jws/jws.js'
import { signerFor } from '../../crypto/keys/key-ring.js'
import type { ApprovalGrant, ApprovalRequest } from '../../protocol/approval.js'
import { present } from '../json/present.js'
import type { Service } from '../service.js'
import { timestamp } from '../json/timestamp.js'
import { approvalEvent } from '../events/event.js'
import { decisionOf, type Party } from './approver.js'
import { gatedStepOf } from './gated-step.js'
import type { GrantTerms, Quorum } from '../storage/contract.js'
import { recordApproval } from './record-approval.js'

/**
 * Approves a pending request: the signed grant is inserted and the request moved in one step (section 4.7). Undefined
 * when something came first.
 */
export async function grantApproval(
  service: Service,
  party: Party,
  request: ApprovalRequest,
  { reason }: { readonly reason?: string | undefined },
  terms: GrantTerms,
  quorum?: Quorum,
): Promise<ApprovalGrant | undefined> {
  const grant = await signed(service, unsignedGrant(service, party, request, terms))
  const decision = decisionOf(party, grant.issued_at, reason ?? null)
  const event = approvalEvent(service, 'approval.decided', request, { status: 'approved', approver: party.principal })
  const approved = await service.storage.approvals.approve(grant, decision, event, quorum)
  if (approved === undefined) return undefined
  await recordApproval(service, 'approval_granted', approved, {
    ...party,
    grantId: grant.grant_id,
    grantType: grant.grant_type,
    maxUses: grant.max_uses,
    reason,
  })
  return grant
}

/** Everything but the terms is copied from the stored request, never from the caller (section 4.7, rule 5). */
function unsignedGrant(
  service: Service,
  { principal }: Party,
  request: ApprovalRequest,
  terms: GrantTerms,
): Omit<ApprovalGrant, 'signature'> {
  const now = service.now()
  return present({
    grant_id: service.ids.make('grant'),
    approval_request_id: request.approval_request_id,
    capability: request.capability,
    scope: request.scope,
    requester: request.requester,
    approver: principal,
    parameters_digest: request.requested_parameters_digest,
    preview_digest: request.preview_digest,
    step: gatedStepOf(request),
    grant_type: terms.grant_type,
    session_id: terms.session_id,
    issued_at: timestamp(now),
    expires_at: timestamp(now + Math.min(terms.expires_in_seconds * 1000, LONGEST_MS)),
    max_uses: terms.max_uses,
  })
}

async function signed(service: Service, grant: Omit<ApprovalGrant, 'signature'>): Promise<ApprovalGrant> {
  const signature = await signDetached(signerFor(service.keys.ring(), 'tokens'), canonicalBytes(grant))
  return { ...grant, signature }
}
