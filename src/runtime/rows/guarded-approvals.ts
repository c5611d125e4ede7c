/** Approval requests and approvals that nobody makes or changes by writing to the database (threats N31 and N15). */
import { StorageUnavailable, type ApprovalGiven, type ApprovalStore, type StoredRequest } from '../storage/contract.js'
import { isDecisionGenuine, isErased, isRefusal, requestPart, sealedDecision } from './guarded-decisions.js'
import { sealedEvent } from './sealed-event.js'
import { over } from './over.js'
import { isGenuine, type RowGuard } from './row-guard.js'
import type { RowSeal } from './row-seal.js'

export const guardedApprovals = (approvals: ApprovalStore, guard: RowGuard): ApprovalStore =>
  over(approvals, {
    open: async (request, limits, event) => {
      const opening = await approvals.open(sealedRequest(guard, request), limits, sealedEvent(guard, event))
      if (opening.outcome === 'too_many') return opening
      const genuine = genuineRequest(guard, opening.request)
      if (genuine === undefined) throw new StorageUnavailable('The pending request for this call was altered.')
      return { ...opening, request: genuine }
    },
    get: async (id) => {
      const request = await approvals.get(id)
      if (request === undefined || request.approval_request_id === id) return genuineRequest(guard, request)
      return void guard.failed(REQUESTS, [id])
    },
    list: async (filter) => (await approvals.list(filter)).flatMap((request) => genuineRequest(guard, request) ?? []),
    withdraw: async (id, at, event) => withoutMac(await approvals.withdraw(id, at, sealedEvent(guard, event))),
    deny: async (id, decision, event, status = 'denied') => {
      const sealed = sealedDecision(guard, id, status, decision)
      return withoutMac(await approvals.deny(id, sealed, sealedEvent(guard, event), status))
    },
    approve: async (grant, decision, event, quorum) => {
      const key = givenKey(grant.approval_request_id, decision.approver)
      const last = quorum && { ...quorum, mac: guard.seal(GIVEN, key, givenPart({ ...decision, terms: quorum.terms })) }
      const sealed = sealedDecision(guard, grant.approval_request_id, 'approved', decision)
      return withoutMac(await approvals.approve(grant, sealed, sealedEvent(guard, event), last))
    },
    give: async (id, given, seen) => {
      const { request, ...giving } = await approvals.give(id, sealedGiven(guard, id, given), seen)
      return { ...giving, ...(request && { request: withoutMac(request)! }) }
    },
    given: async (id) => (await approvals.given(id)).map((given) => judged(guard, id, given)),
    earlier: async (call, since) => {
      const { denied, returned, ...earlier } = await approvals.earlier(call, since)
      return {
        ...earlier,
        ...(denied && { denied: judgedDenial(guard, denied) }),
        ...(returned && { returned: judgedDenial(guard, returned) }),
      }
    },
    history: async (request) => {
      const { undecided, decided } = await approvals.history(request)
      return { undecided, decided: decided.filter((past) => isDecisionGenuine(guard, past.approval_request_id, past)) }
    },
    grant: async (grantId) => {
      const stored = await approvals.grant(grantId)
      if (stored === undefined) return undefined
      const { decision, ...grant } = stored
      const id = grant.grant.approval_request_id
      if (grant.isRevoked || (decision?.status === 'approved' && isDecisionGenuine(guard, id, decision))) return grant
      return void guard.failed('decisions', [id])
    },
    revokeGrant: async (grantId) => withoutMac(await approvals.revokeGrant(grantId)),
  })

const REQUESTS = 'approval_requests'
const GIVEN = 'approvals_given'

/** Puts the MAC of a request into its body. */
const sealedRequest = (seal: RowSeal, request: StoredRequest): StoredRequest => ({
  ...request,
  mac: seal.seal(REQUESTS, [request.approval_request_id], requestPart(request)),
})

/**
 * Returns a request as it was opened, with its state. One that was erased has nothing left to believe, and one that
 * waits past its time is over, whatever the columns say.
 */
export function genuineRequest(guard: RowGuard, request: StoredRequest | undefined): StoredRequest | undefined {
  if (request === undefined) return undefined
  if (isErased(request)) return isRefusal(request) ? judgedDenial(guard, request) : withoutMac(request)
  const part = requestPart(request)
  if (!isGenuine(guard, REQUESTS, [request.approval_request_id], part, request.mac)) return undefined
  if (isRefusal(request)) return judgedDenial(guard, request)
  const isLate = request.status === 'pending' && Date.parse(request.expires_at) <= guard.now()
  return withoutMac(isLate ? { ...request, status: 'expired' } : request)
}

/** A denial that nobody made, or in other words than were given, stays in force without its reason. */
function judgedDenial(guard: RowGuard, request: StoredRequest): StoredRequest {
  const id = request.approval_request_id
  if (isDecisionGenuine(guard, id, request)) return withoutMac(request)!
  if (!isErased(request)) guard.inForce('decisions', [id])
  return { ...withoutMac(request)!, reason: null }
}

function withoutMac<Request extends StoredRequest>(request: Request | undefined): Request | undefined {
  if (request === undefined) return undefined
  const { mac: _, decided: __, ...rest } = request
  return rest as Request
}

/** Puts the MAC of an approval into its body. */
const sealedGiven = (seal: RowSeal, id: string, given: ApprovalGiven): ApprovalGiven => ({
  ...given,
  mac: seal.seal(GIVEN, givenKey(id, given.approver), givenPart(given)),
})

const givenKey = (id: string, approver: string): readonly string[] => [id, approver]

/** All of an approval, as its MAC covers it. */
export function givenPart(given: ApprovalGiven): unknown {
  const { mac: _, isForged: __, ...part } = given
  return JSON.parse(JSON.stringify(part))
}

/** An approval that nobody gave is told apart, so that it goes when the next one is given. */
const judged = (guard: RowGuard, id: string, given: ApprovalGiven): ApprovalGiven =>
  isGenuine(guard, GIVEN, givenKey(id, given.approver), givenPart(given), given.mac)
    ? given
    : { ...given, isForged: true }
