import { partyOf, requestToDecide } from '../approvals/approver.js'
import { giveApproval } from '../approvals/give.js'
import { grantRequestOf } from '../approvals/grant-request.js'
import { reasonIn } from '../approvals/reason.js'
import { revokeGrant } from '../approvals/revoke-grant.js'
import { idInPath } from '../request/ids.js'
import { optionalMembersOf } from '../request/members.js'
import { ok, type Endpoint } from '../endpoint/endpoint.js'

/** POST /svc/approval_grants (section 4.7). */
export const approval_grants: Endpoint = async (service, call) => {
  const party = await partyOf(service, call)
  const asked = grantRequestOf(await call.body())
  const request = await requestToDecide(service, party, asked.approval_request_id)
  const given = await giveApproval(service, party, request, asked)
  return 'grant_id' in given ? ok(given) : { status: 202, value: given }
}

/** POST /-/approval_grants/{id}/revoke (decisions, section 10). */
export const approval_grant_revoke: Endpoint = async (service, call) => {
  const party = await partyOf(service, call)
  const reason = reasonIn(optionalMembersOf(await call.body(), ['reason']))
  return ok(await revokeGrant(service, party, idInPath(call, 'grant'), reason))
}
