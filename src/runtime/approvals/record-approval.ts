import type { ApprovalRequest } from '../../protocol/approval.js'
import type { EntryType } from '../../protocol/audit.js'
import type { Credential } from '../../protocol/credential.js'
import { NOTHING } from '../auth/tampering.js'
import type { Service } from '../service.js'
import { timestamp } from '../json/timestamp.js'

/** Who did it, and under which grant. */
interface Actor {
  readonly principal: string
  readonly credential?: Credential | undefined
  readonly grantId?: string
}

/** Puts what happened to an approval request on the trail of its requester. */
export const recordApproval = (
  service: Service,
  entry_type: EntryType,
  request: ApprovalRequest,
  { principal, credential, grantId }: Actor,
) =>
  service.record({
    draft: {
      ...NOTHING,
      entry_type,
      capability: request.capability,
      actor_key: principal,
      root_principal: request.requester.root_principal,
      event_class: 'high_risk_success',
      success: true,
      parent_invocation_id: request.parent_invocation_id,
      approval_request_id: request.approval_request_id,
      approval_grant_id: grantId ?? null,
      token_id: request.requester.token_id,
      delegation_chain: [request.requester.token_id],
      timestamp: timestamp(service.now()),
      ...(credential && { credential }),
    },
  })
