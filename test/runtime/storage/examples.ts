/** Examples of what is stored, with ids of their own, so that cases on one database never meet. */
import type { ApprovalGrant, ApprovalRequest } from '../../../src/protocol/approval.js'
import type { AuditDraft } from '../../../src/protocol/audit.js'
import type { DelegationClaims, TokenRecord } from '../../../src/protocol/token.js'
import type { StoredRequest } from '../../../src/runtime/storage/stored-request.js'
import type { RequestDecision, OpeningLimits, Storage } from '../../../src/runtime/storage/contract.js'

let made = 0

export const fresh = (prefix: string): string => `${prefix}${String(++made).padStart(6, '0')}`
export const freshInvocation = (): string => `inv-${String(++made).padStart(12, '0')}`
export const iso = (ms: number): string => new Date(ms).toISOString()

export const claims = (jti: string, parent?: string): DelegationClaims => ({
  jti,
  iss: 'flights',
  aud: 'flights',
  sub: 'agent:a',
  iat: 1_700_000_000,
  nbf: 1_700_000_000,
  exp: 1_700_007_200,
  scope: ['travel.search'],
  root_principal: 'human:a@example.com',
  purpose: { parameters: {} },
  constraints: { max_delegation_depth: 3, concurrent_branches: 'allowed' },
  ...(parent === undefined ? {} : { parent_token_id: parent }),
})

export const token = (jti: string, depth = 0, parent?: string): TokenRecord => ({ claims: claims(jti, parent), depth })

/** An approval request of `agent:<who>` that expires after `ttlMs` by the back end's clock. */
export async function request(
  storage: Storage,
  who: string,
  ttlMs: number,
  part: Partial<StoredRequest> = {},
): Promise<StoredRequest> {
  const now = await storage.now()
  return {
    approval_request_id: fresh('apr_'),
    capability: 'book',
    scope: ['travel.book'],
    requester: { subject: `agent:${who}`, root_principal: `human:${who}`, token_id: 'tok_1' },
    requested_parameters: { quote: 'q1' },
    requested_parameters_digest: 'sha256:aa',
    grant_policy: {
      allowed_grant_types: ['one_time'],
      default_grant_type: 'one_time',
      expires_in_seconds: 60,
      max_uses: 1,
    },
    parent_invocation_id: null,
    status: 'pending',
    approver: null,
    decided_at: null,
    reason: null,
    created_at: iso(now),
    expires_at: iso(now + ttlMs),
    ...part,
  }
}

export async function grantFor(
  storage: Storage,
  { approval_request_id, capability, scope, requester, requested_parameters_digest }: ApprovalRequest,
  ttlMs: number,
  maxUses = 1,
): Promise<ApprovalGrant> {
  const now = await storage.now()
  return {
    grant_id: fresh('grt_'),
    approval_request_id,
    capability,
    scope,
    requester,
    approver: 'human:approver',
    parameters_digest: requested_parameters_digest,
    grant_type: maxUses === 1 ? 'one_time' : 'session_bound',
    session_id: null,
    issued_at: iso(now),
    expires_at: iso(now + ttlMs),
    max_uses: maxUses,
    signature: 'h..s',
  }
}

export const decision: RequestDecision = {
  approver: 'human:approver',
  decided_at: '2026-01-01T00:00:00.000Z',
  reason: null,
}

export const draft = (part: Partial<AuditDraft> = {}): AuditDraft => ({
  entry_type: 'invocation',
  invocation_id: freshInvocation(),
  capability: 'search',
  actor_key: 'agent:a',
  root_principal: 'human:a',
  event_class: 'low_risk_success',
  success: true,
  failure_type: null,
  client_reference_id: null,
  task_id: null,
  parent_invocation_id: null,
  upstream_service: null,
  approval_request_id: null,
  approval_grant_id: null,
  token_id: 'tok_1',
  delegation_chain: ['tok_1'],
  cost_actual: null,
  parameters: {},
  timestamp: '2026-01-01T00:00:00.000Z',
  ...part,
})

export const atMost = (pending: number, perMinute = 1000, wider: Partial<OpeningLimits> = {}): OpeningLimits => ({
  pending,
  pendingOfChain: 1000,
  pendingOfRoot: 1000,
  perMinute,
  ...wider,
})
