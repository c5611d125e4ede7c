import type { Json, JsonObject } from '../../protocol/manifest.js'
import { optionalMembersOf } from '../../runtime/request/members.js'
import type { HttpResponse } from '../../runtime/http/exchange.js'
import { formOf } from '../body.js'
import { assertFresh } from '../session/entitled.js'
import { askOnBehalf } from './on-behalf.js'
import type { ConsoleRoute, SignedInVisit } from '../visit.js'

/** Approval requests: what waits and what was decided, each as the service itself would answer it. */
export const approvalRoutes: readonly ConsoleRoute[] = [
  { method: 'GET', path: '/api/approvals', isPassive: true, signedIn: (visit) => askOnBehalf(visit, 'approval_list', { query: visit.query }) }, // prettier-ignore
  { method: 'GET', path: '/api/approvals/{id}', isPassive: true, signedIn: read },
  { method: 'POST', path: '/api/approvals/{id}/approve', signedIn: approve },
  { method: 'POST', path: '/api/approvals/{id}/deny', signedIn: (visit) => decide(visit, 'approval_deny') },
  {
    method: 'POST',
    path: '/api/approvals/{id}/withdraw',
    signedIn: (visit) => askOnBehalf(visit, 'approval_withdraw', { segments: visit.segments }),
  },
]

function read(visit: SignedInVisit): Promise<HttpResponse> {
  return askOnBehalf(visit, 'approval_read', { segments: visit.segments, query: visit.query })
}

async function approve(visit: SignedInVisit): Promise<HttpResponse> {
  assertFresh(visit.person)
  const terms = optionalMembersOf(await formOf(visit, 'approval_grants'), ['grant_type', 'session_id', 'expires_in_seconds', 'max_uses', 'reason']) // prettier-ignore
  const body: JsonObject = { ...terms, approval_request_id: visit.segments['id'] ?? '' }
  return askOnBehalf(visit, 'approval_grants', { body })
}

async function decide(visit: SignedInVisit, operation: 'approval_deny'): Promise<HttpResponse> {
  assertFresh(visit.person)
  const body: Json | undefined = await formOf(visit, operation)
  return askOnBehalf(visit, operation, { segments: visit.segments, ...(body !== undefined && { body }) })
}
