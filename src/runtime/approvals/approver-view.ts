import type {
  ApprovalContext,
  ApprovedOutcome,
  ApprovalRequest,
  DecidedBefore,
  EarlierDecision,
  RequestHistory,
} from '../../protocol/approval.js'
import { fromMinorUnits } from '../../protocol/money.js'
import type { Principal } from '../../protocol/principals.js'
import type { TokenChain } from '../../protocol/token.js'
import { loggedMembers } from '../audit/logged-members.js'
import { present } from '../json/present.js'
import { timestamp } from '../json/timestamp.js'
import type { Service } from '../service.js'
import type { ApprovalGiven, StoredHistory, StoredRequest } from '../storage/contract.js'
import { approvalUrl } from '../events/approval-url.js'
import { shownToApprover } from './gated-step.js'

/**
 * A request with what its approver should know: what it does, by whose authority, and what was decided before
 * (decisions, section 10).
 */
export async function approverView(
  service: Service,
  request: StoredRequest,
  approver: Principal,
): Promise<ApprovalRequest> {
  const { storage, capabilities } = service
  const [chain, history, given, outcome] = await Promise.all([
    storage.tokens.chain(request.requester.token_id),
    storage.approvals.history(request),
    request.approvals_needed === undefined ? [] : storage.approvals.given(request.approval_request_id),
    outcomeOf(service, request),
  ])
  const does = capabilities.get(request.step?.capability ?? request.capability)
  const logged_inputs =
    request.preview === undefined ? loggedMembers(service, request.capability, request.requested_parameters) : undefined
  const context: ApprovalContext = present({
    description: does?.description,
    side_effect: does?.side_effect,
    ...(chain && (await tokenFacts(service, chain))),
    logged_inputs,
    approved_by:
      request.approvals_needed === undefined
        ? undefined
        : given.filter(({ isForged }) => isForged !== true).map(shownApproval),
    outcome,
    earlier: shownHistory(history),
    last_decided: await lastDecided(service, request, history, approver),
  })
  return { ...shownToApprover(service, request), ...approvalUrl(service, request.approval_request_id), context }
}

/** Finds the request that this one is compared with (decisions, section 17). */
async function lastDecided(
  service: Service,
  request: StoredRequest,
  { decided }: StoredHistory,
  reader: Principal,
): Promise<DecidedBefore | undefined> {
  const past = decided.find(({ approver }) => approver === reader)
  if (past === undefined || request.status !== 'pending') return undefined
  const stored = await service.storage.approvals.get(past.approval_request_id)
  if (stored === undefined || stored.isErased === true || stored.step?.capability !== request.step?.capability)
    return undefined
  const { approval_request_id, status, decided_at, preview, requested_parameters, step, bound, hidden, checked_cost } =
    shownToApprover(service, stored)
  return present({
    approval_request_id,
    status,
    decided_at,
    preview,
    requested_parameters,
    step,
    bound,
    hidden,
    checked_cost,
  })
}

/** Finds the audit entry of the call that used the grant; a call that still runs has none. */
async function outcomeOf({ storage }: Service, request: StoredRequest): Promise<ApprovedOutcome | undefined> {
  const { invocation_id } = request
  if (invocation_id === undefined) return undefined
  const [entry] = await storage.audit.query({
    rootPrincipal: request.requester.root_principal,
    invocation_id,
    limit: 1,
  })
  if (entry === undefined) return undefined
  const { success, failure_type, cost_actual, timestamp: at } = entry
  return { invocation_id, success, failure_type, cost_actual, timestamp: at }
}

/** Counts every request, and shows the last five decisions. */
function shownHistory({ undecided, decided }: StoredHistory): RequestHistory {
  const counted = (state: string): number => decided.filter(({ status }) => status === state).length
  return {
    counts: { approved: counted('approved'), denied: counted('denied'), ...undecided },
    last: decided.slice(0, 5).map(({ status, approver, decided_at, reason }) => ({
      status,
      approver: approver!,
      decided_at: decided_at!,
      reason,
    })),
  }
}

const shownApproval = ({ approver, decided_at, reason }: ApprovalGiven): EarlierDecision => ({
  status: 'approved',
  approver,
  decided_at,
  reason,
})

/** The authority that the requester uses; it ends with the first token of the chain that does. */
async function tokenFacts(
  { storage }: Service,
  chain: TokenChain,
): Promise<Pick<ApprovalContext, 'token' | 'delegation'>> {
  const { constraints, purpose, jti } = chain.at(-1)!.claims
  const ends = Math.min(...chain.map(({ claims }) => claims.exp))
  const { budget } = constraints
  const spent =
    budget?.mode === 'cumulative' ? fromMinorUnits(await storage.ledger.spent(jti), budget.currency).amount : undefined
  return {
    token: present({ budget, spent, task_id: purpose.task_id, expires_at: timestamp(ends * 1000) }),
    delegation: [chain[0].claims.root_principal, ...chain.map(({ claims }) => claims.sub)],
  }
}
