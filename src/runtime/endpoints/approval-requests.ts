import { QUERY_PARAMETERS } from '../../protocol/query-parameters.js'
import { APPROVAL_STATES } from '../../protocol/words.js'
import {
  approvableBy,
  decisionOf,
  mayApprove,
  partyOf,
  requestToDecide,
  tiersOf,
  type Party,
} from '../approvals/approver.js'
import { approvalUrl } from '../events/approval-url.js'
import { approverView } from '../approvals/approver-view.js'
import { shownToApprover, shownToRequester } from '../approvals/gated-step.js'
import { isOwnRequest, isRootParty } from '../approvals/own-request.js'
import { reasonIn } from '../approvals/reason.js'
import { pageOfRequests } from '../approvals/request-page.js'
import { recordApproval } from '../approvals/record-approval.js'
import { approvalEvent } from '../events/event.js'
import { takeWait } from '../auth/held-places.js'
import { waitForDecision } from '../approvals/wait.js'
import { withdrawApproval } from '../approvals/withdraw.js'
import { idFilterIn, idInPath } from '../request/ids.js'
import { booleanMember, optionalMembersOf } from '../request/members.js'
import { capabilityIn, countIn, readQuery, wordIn } from '../request/query.js'
import { present } from '../json/present.js'
import { refuse } from '../errors/refusal.js'
import type { JsonObject } from '../../protocol/manifest.js'
import type { Service } from '../service.js'
import type { StoredRequest } from '../storage/contract.js'
import { timestamp } from '../json/timestamp.js'
import { disclosureLevel } from '../errors/disclosure.js'
import { ok, type Call, type Endpoint } from '../endpoint/endpoint.js'

/** GET /svc/approval_requests: what the caller may decide, and what the caller's principal asked for. */
export const approval_list: Endpoint = async (service, call) => {
  const party = await partyOf(service, call)
  const query = readQuery(call.query, QUERY_PARAMETERS.approval_list)
  const approvable = approvableBy(service, party)
  const { page, next_cursor } = await pageOfRequests(
    service,
    present({
      status: wordIn(query, 'status', APPROVAL_STATES),
      capability: capabilityIn(query, 'capability'),
      capabilities: approvable,
      approverScopes: tiersOf(service, party),
      rootPrincipal: party.rootPrincipal,
      subject: isRootParty(party) ? undefined : party.principal,
      limit: countIn(query, 'limit', { least: 1, most: 1000 }) ?? 100,
      after: idFilterIn(query, 'cursor', 'approvalRequest'),
    }),
  )
  const mine = await Promise.all(page.map((each) => mayRead(service, party, each)))
  const readable = page.filter((_, index) => mine[index])
  return ok(
    present({
      approval_requests: readable.map((each) => shownTo(service, call, party, each)),
      count: readable.length,
      next_cursor,
    }),
  )
}

/** s: nobody means to wait for longer in one request. */
const LONGEST_WAIT = 3600

/** GET /svc/approval_requests/{id}; `?wait=` seconds answers as soon as it is decided. */
export const approval_read: Endpoint = async (service, call) => {
  const party = await partyOf(service, call)
  const query = readQuery(call.query, QUERY_PARAMETERS.approval_read)
  // Who asks for longer than the service holds a question is answered sooner, and may ask again.
  const seconds = Math.min(
    countIn(query, 'wait', { least: 0, most: LONGEST_WAIT }) ?? 0,
    service.limits.longPollSeconds,
  )
  const request = await service.storage.approvals.get(idInPath(call, 'approvalRequest'))
  if (request === undefined || !(await mayRead(service, party, request)))
    return refuse('approval_request_not_found', 'There is no such approval request.')
  const seen = seconds === 0 ? request : await decided(service, party, request, seconds)
  return ok(
    mayApprove(service, party, seen)
      ? await approverView(service, seen, party.principal)
      : shownTo(service, call, party, seen),
  )
}

/** The request once it is decided; a principal has so many questions that wait, and an agent a part of them. */
async function decided(
  service: Service,
  party: Party,
  request: StoredRequest,
  seconds: number,
): Promise<StoredRequest> {
  const release = takeWait(service, party)
  return waitForDecision(service, request, seconds).finally(release)
}

const mayRead = async (service: Service, party: Party, request: StoredRequest): Promise<boolean> =>
  mayApprove(service, party, request) || isOwnRequest(service, party, request)

const shownTo = (service: Service, { caller }: Call, party: Party, request: StoredRequest): object => ({
  ...(mayApprove(service, party, request)
    ? shownToApprover(service, request)
    : shownToRequester(request, disclosureLevel(service.manifest, caller.class))),
  ...approvalUrl(service, request.approval_request_id),
})

/** POST /svc/approval_requests/{id}/withdraw (decisions, section 10). */
export const approval_withdraw: Endpoint = async (service, call) => {
  const party = await partyOf(service, call)
  optionalMembersOf(await call.body(), [])
  const withdrawn = await withdrawApproval(service, party, idInPath(call, 'approvalRequest'))
  return ok(shownTo(service, call, party, withdrawn))
}

/** POST /svc/approval_requests/{id}/deny; with `holds: false` it is sent back with a question (decisions, section 15). */
export const approval_deny: Endpoint = async (service, call) => {
  const party = await partyOf(service, call)
  const members = optionalMembersOf(await call.body(), ['reason', 'holds'])
  const reason = reasonIn(members)
  const status = statusIn(members, reason)
  const request = await requestToDecide(service, party, idInPath(call, 'approvalRequest'))
  const decision = decisionOf(party, timestamp(service.now()), reason ?? null)
  const event = approvalEvent(service, 'approval.decided', request, { status, approver: party.principal })
  const denied = await service.storage.approvals.deny(request.approval_request_id, decision, event, status)
  if (denied === undefined)
    return refuse('approval_request_closed', 'The approval request was decided or expired meanwhile.')
  await recordApproval(service, `approval_${status}`, denied, { ...party, reason })
  return ok(shownToApprover(service, denied))
}

function statusIn(members: JsonObject, reason: string | undefined): 'denied' | 'returned' {
  const holds = booleanMember(members, 'holds') ?? true
  if (!holds && (reason ?? '').trim() === '')
    return refuse('invalid_parameters', 'A call is sent back with a question: name it in reason.')
  return holds ? 'denied' : 'returned'
}
