/** Approving, where one or several people must (section 4.7; decisions, section 10: Quorum and tiers). */
import type { ApprovalGrant, GrantRequest, PendingApproval } from '../../protocol/approval.js'
import { isAnyOf } from '../../protocol/fold.js'
import { refuse } from '../errors/refusal.js'
import { timestamp } from '../json/timestamp.js'
import type { Service } from '../service.js'
import type { ApprovalGiven, Giving, StoredRequest } from '../storage/contract.js'
import { decisionOf, type Party } from './approver.js'
import { grantApproval } from './grant.js'
import { termsWithin } from './grant-request.js'
import { narrowest } from './narrowest.js'
import { recordApproval } from './record-approval.js'
import { standingApprovals } from './standing-approvals.js'

/** The grant, or how many approvals there are while others must approve, too. */
export async function giveApproval(
  service: Service,
  party: Party,
  request: StoredRequest,
  asked: GrantRequest,
): Promise<ApprovalGrant | PendingApproval> {
  const terms = termsWithin(request.grant_policy, asked, request.session_id)
  if (request.approvals_needed === undefined)
    return (await grantApproval(service, party, request, asked, terms)) ?? refuseClosed()
  const decision = decisionOf(party, timestamp(service.now()), asked.reason ?? null)
  return oneOfSeveral(service, party, request, { ...decision, terms })
}

/** Each time that somebody was faster there is one approval more, or fewer that count: there are five at most. */
const ATTEMPTS = 12

async function oneOfSeveral(
  service: Service,
  party: Party,
  request: StoredRequest,
  given: ApprovalGiven,
): Promise<ApprovalGrant | PendingApproval> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const seen = await standingApprovals(service, request)
    const all = [...seen.counted, given]
    const terms = narrowest(all.map((each) => each.terms))
    if (all.length >= request.approvals_needed!) {
      await assertOtherPerson(service, given, seen.counted)
      const quorum = { ...seen, terms: given.terms }
      const grant = await grantApproval(service, party, request, { reason: given.reason ?? undefined }, terms, quorum)
      if (grant !== undefined) return grant
    } else {
      const answer = await answerOf(
        service,
        party,
        request,
        await service.storage.approvals.give(request.approval_request_id, given, seen),
        given,
      )
      if (answer !== undefined) return answer
    }
    await assertPending(service, request)
  }
  return refuseClosed()
}

/** Undefined where others were faster. */
async function answerOf(
  service: Service,
  party: Party,
  request: StoredRequest,
  { outcome, request: now }: Giving,
  { reason }: ApprovalGiven,
): Promise<PendingApproval | undefined> {
  if (outcome === 'same_person') return refuseSamePerson()
  if (outcome === 'closed') return refuseClosed()
  if (outcome === 'changed' || now === undefined) return undefined
  const { approval_request_id, approvals = 0, approvals_needed = 1 } = now
  await recordApproval(service, 'approval_given', request, { ...party, reason: reason ?? undefined })
  return { approval_request_id, status: 'pending', approvals, approvals_needed }
}

/** Asked again where the approval is written, so that nobody slips in between. */
async function assertOtherPerson(
  { storage }: Service,
  given: ApprovalGiven,
  counted: readonly ApprovalGiven[],
): Promise<void> {
  const peopleOf = ({ approver, by = [] }: ApprovalGiven) => storage.accounts.namesOf([approver, ...by])
  const names = await peopleOf(given)
  for (const each of counted) if (isAnyOf(await peopleOf(each), names)) refuseSamePerson()
}

async function assertPending({ storage }: Service, { approval_request_id }: StoredRequest): Promise<void> {
  const now = await storage.approvals.get(approval_request_id)
  if (now?.status !== 'pending') refuseClosed()
}

const refuseSamePerson = (): never =>
  refuse('approver_not_authorized', 'An approval by the authority of the same person counts already.', {
    requires: 'the approval of another person',
  })

const refuseClosed = (): never =>
  refuse('approval_request_closed', 'The approval request was decided or expired meanwhile.')
