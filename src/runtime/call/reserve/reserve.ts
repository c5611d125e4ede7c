import { failure } from '../../../protocol/failures.js'
import { refuseWhileSpent } from '../../approvals/continue.js'
import type { GovernedFacts } from '../checks/facts.js'
import { assertStandingNow, assertStillStanding } from '../../auth/token.js'
import { present } from '../../json/present.js'
import { refuse, Refusal } from '../../errors/refusal.js'
import type { Service } from '../../service.js'
import { draftOf } from '../settle/draft.js'
import { holdAmount, holdIdOf } from './budget-hold.js'
import type { Invocation } from '../invocation.js'
import { leaseKeyOf, takeLease } from './lease.js'
import { takeShare } from '../execute/pool.js'

/**
 * Takes what only one call may have, one conditional statement each: a place under the rate limit, the exclusive lease, the
 * amount under every cumulative ceiling, a use of the grant. The intent is durable before anything is taken for good, and the token
 * still stands at the end.
 */
export async function reserve(service: Service, invocation: Invocation, facts: GovernedFacts): Promise<void> {
  await takeAll(service, invocation, facts)
  await (invocation.soFar.intent === true ? assertStandingNow : assertStillStanding)(service, invocation.token)
}

async function takeAll(service: Service, invocation: Invocation, facts: GovernedFacts): Promise<void> {
  if (invocation.composedBy !== undefined) {
    takeShare(invocation.composedBy.soFar.pool, invocation.soFar.checked, facts.capability)
    if (!isHarmless(invocation, facts)) await writeAhead(service, invocation)
    return isInReservation(service, invocation.composedBy, facts) ? undefined : holdAmount(service, invocation)
  }
  if (!service.rates.takeAtOnce(rateOf(invocation))) await takePlace(service, invocation)
  invocation.listener?.reserve()
  const { id, token, soFar } = invocation
  const leaseKey = leaseKeyOf(token)
  if (leaseKey !== undefined) soFar.lease = await takeLease(service, leaseKey, id)
  if (!isHarmless(invocation, facts)) await writeAhead(service, invocation)
  if (soFar.checked !== undefined) await holdAmount(service, invocation)
  if (soFar.grantId !== undefined) await spendGrant(service, invocation, soFar.grantId, facts)
}

/** A step's amount was reserved with the whole, unless the whole could not know it: an estimate under no declared cost. */
const isInReservation = ({ capabilities }: Service, whole: Invocation, { cost }: GovernedFacts): boolean =>
  cost?.certainty !== 'estimated' || capabilities.get(whole.name)?.cost !== undefined

const rateOf = ({ token, name }: Invocation): string => `invoke ${token.claims.root_principal} ${name}`

async function takePlace(service: Service, invocation: Invocation): Promise<void> {
  const { name } = invocation
  const wait = await service.rates.take(rateOf(invocation), service.limits.invocationsPerMinute)
  if (wait === undefined) return
  throw new Refusal(failure('rate_limited', `Too many invocations of ${name}. Try again in ${wait} s.`), {
    retryAfter: wait,
  })
}

/** Spends the grant: by the attempt, whatever becomes of it (section 3). */
async function spendGrant(
  service: Service,
  { id, request }: Invocation,
  grantId: string,
  { approval: { presented } }: GovernedFacts,
): Promise<void> {
  if (presented === undefined || (await service.storage.approvals.spend(grantId, id))) return
  if (request.approval === 'continue') refuseWhileSpent()
  const expired = Date.parse(presented.grant.expires_at) <= (await service.storage.now())
  refuse('approval_grant_invalid', expired ? 'The grant has expired.' : 'The grant has no use left.', {
    reason: expired ? 'expired' : 'consumed',
  })
}

/** Holds when a crash can lose nothing. */
const isHarmless = (invocation: Invocation, { capability }: GovernedFacts): boolean =>
  capability.side_effect.type === 'read' &&
  invocation.soFar.grantId === undefined &&
  invocation.soFar.claim === undefined && holdIdOf(invocation) === undefined

/** Makes the intent durable: a crash from here on leaves a trace (section 6). */
async function writeAhead(service: Service, invocation: Invocation): Promise<void> {
  const { soFar } = invocation
  const hold_id = holdIdOf(invocation)
  const unknown = failure('outcome_unknown', 'The service stopped before the outcome was recorded.')
  const draft = draftOf(service, invocation, { ok: false, failure: unknown })
  const { id: invocation_id } = invocation
  // Said before it is known: a store that fails while it commits may have it, and whatever may be there must be closed.
  soFar.intent = true
  await service.storage.intents.record(
    present({
      invocation_id,
      owner: service.owner,
      draft,
      hold_id,
      idempotency: soFar.claim,
      started_at: service.now(),
    }),
  )
}
