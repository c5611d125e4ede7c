import { partyOf, requestToDecide } from '../approvals/approver.js'
import { grantApproval } from '../approvals/grant.js'
import { grantRequestOf } from '../approvals/grant-request.js'
import { reasonIn } from '../approvals/reason.js'
import { revokeGrant } from '../approvals/revoke-grant.js'
import { idInPath } from '../call/inputs/ids.js'
import { optionalMembersOf } from '../call/inputs/members.js'
import { ok, type Endpoint } from './endpoint.js'

/** POST /svc/approval_grants (section 4.7). */
export const approval_grants: Endpoint = async (service, call) => {
  const party = await partyOf(service, call)
  const asked = grantRequestOf(await call.body())
  const request = await requestToDecide(service, party, asked.approval_request_id)
  return ok(await grantApproval(service, party, request, asked))
}

/** POST /-/approval_grants/{id}/revoke (decisions, section 10). */
export const approval_grant_revoke: Endpoint = async (service, call) => {
  const party = await partyOf(service, call)
  const reason = reasonIn(optionalMembersOf(await call.body(), ['reason']))
  return ok(await revokeGrant(service, party, idInPath(call, 'grant'), reason))
}
