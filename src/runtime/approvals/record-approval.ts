import type { ApprovalRequest } from '../../protocol/approval.js'
import type { ApprovalFacts, EntryType } from '../../protocol/audit.js'
import type { ProvenBy } from '../../protocol/credential.js'
import type { GrantType } from '../../protocol/words.js'
import { loggedMembers } from '../audit/logged-members.js'
import { EMPTY_ENTRY } from '../../protocol/empty-entry.js'
import { isRecord } from '../../crypto/json/kinds.js'
import { present } from '../json/present.js'
import { timestamp } from '../json/timestamp.js'
import type { Service } from '../service.js'

/** Actor, credential, grant and reason. */
interface Actor {
  readonly principal: string
  readonly credential?: ProvenBy | undefined
  readonly grantId?: string
  readonly grantType?: GrantType
  readonly maxUses?: number
  readonly reason?: string | undefined
}

/** Puts what happened to an approval request on the trail of its requester (decisions, section 10). */
export function recordApproval(service: Service, entry_type: EntryType, request: ApprovalRequest, actor: Actor) {
  service.metrics?.decided(request.capability, entry_type, service.now() - Date.parse(request.created_at))
  return service.record({
    draft: {
      ...EMPTY_ENTRY,
      entry_type,
      capability: request.capability,
      actor_key: actor.principal,
      root_principal: request.requester.root_principal,
      event_class: 'high_risk_success',
      success: true,
      parent_invocation_id: request.parent_invocation_id,
      approval_request_id: request.approval_request_id,
      approval_grant_id: actor.grantId ?? null,
      token_id: request.requester.token_id,
      delegation_chain: [request.requester.token_id],
      parameters: loggedMembers(service, request.capability, request.requested_parameters),
      timestamp: timestamp(service.now()),
      approval: factsOf(service, entry_type, request, actor),
      ...(actor.credential && { credential: actor.credential }),
    },
  })
}

/** Returns the facts of a request and its decision: digests, and those members of the preview that may be kept. */
function factsOf(service: Service, type: EntryType, request: ApprovalRequest, actor: Actor): ApprovalFacts {
  const { capability, requested_parameters_digest, preview, preview_digest } = request
  const isShown = type === 'approval_requested' && isRecord(preview)
  return present({
    parameters_digest: requested_parameters_digest,
    preview_digest,
    preview: isShown ? loggedMembers(service, capability, preview) : undefined,
    ...(type === 'approval_granted' && whatWasGranted(request)),
    grant_type: actor.grantType,
    max_uses: actor.maxUses,
    reason: actor.reason,
  })
}

/** Returns who asked, what was quoted and what was checked, so that one entry says who approved what for whom at which price. */
const whatWasGranted = ({ requester, checked_cost, bound }: ApprovalRequest) => ({
  requester: requester.subject,
  checked_cost,
  quoted: bound?.map(({ type, price }) => present({ type, price })),
})
