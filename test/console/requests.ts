import type { ApprovalRequest } from '../../src/protocol/approval.js'
import { at } from './screen.js'

/** A request of an agent, as the service lists it. */
export const asks = (capability: string, more: Partial<ApprovalRequest> | object = {}): ApprovalRequest => ({
  approval_request_id: `apr_${capability}`,
  capability,
  scope: ['seats.write'],
  requester: { subject: 'agent:desk', root_principal: 'human:ana', token_id: 'tok_1' },
  requested_parameters: {},
  requested_parameters_digest: `sha256:${'ab'.repeat(30)}cdef`,
  preview: { summary: `${capability.charAt(0).toUpperCase()}${capability.slice(1)} seat` },
  grant_policy: { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 1 },
  parent_invocation_id: null,
  checked_cost: { currency: 'EUR', amount: 12.5 },
  status: 'pending',
  approver: null,
  decided_at: null,
  reason: null,
  created_at: at(-60),
  expires_at: at(840),
  ...more,
}) // prettier-ignore
