import { REASON_CHARACTERS } from '../approvals/reason.js'
import { idInPath } from '../request/ids.js'
import { booleanMember, membersOf, numberMember, shortText } from '../request/members.js'
import { refuse } from '../errors/refusal.js'
import { present } from '../json/present.js'
import { resolveInvocation, type WhatHappened } from '../operate/resolve-invocation.js'
import { inRole } from '../operate/role-of.js'
import { ok, type Call, type Endpoint } from '../endpoint/endpoint.js'

/** POST /-/invocations/{id}/resolve: what happened where the outcome is unknown (decisions, section 11). */
export const operator_invocation_resolve: Endpoint = async (service, call) => {
  const operator = await inRole(service, call, 'operator')
  const id = idInPath(call, 'invocation')
  return ok(await resolveInvocation(service, operator, id, await whatHappenedIn(call)))
}

async function whatHappenedIn(call: Call): Promise<WhatHappened> {
  const body = membersOf(await call.body(), ['happened', 'amount', 'reason'])
  const happened = booleanMember(body, 'happened')
  const reason = shortText(body, 'reason', REASON_CHARACTERS)
  const amount = numberMember(body, 'amount', (value) => value >= 0, 'a number, 0 or above')
  if (happened === undefined)
    return refuse('invalid_parameters', 'The member happened is required: true if the effect happened, else false.')
  if (reason === undefined)
    return refuse('invalid_parameters', 'The member reason is required: say how you know, the trail keeps it.')
  if (!happened && amount !== undefined)
    return refuse('invalid_parameters', 'An effect that did not happen has no amount: leave out the member amount.')
  return present({ happened, amount, reason })
}
