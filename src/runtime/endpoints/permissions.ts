import { optionalMembersOf } from '../request/members.js'
import { spentCeilings } from '../call/reserve/budget-hold.js'
import { permissionsOf } from '../call/permissions.js'
import { ok, type Endpoint } from '../endpoint/endpoint.js'
import { delegationOf } from '../endpoint/delegation.js'

/** POST /svc/permissions (section 4.5). */
export const permissions: Endpoint = async (service, call) => {
  const token = await delegationOf(service, call)
  optionalMembersOf(await call.body(), [])
  return ok(permissionsOf(service, token, await spentCeilings(service, { token })))
}
