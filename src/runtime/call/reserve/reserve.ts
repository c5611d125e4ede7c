import { exclusiveInputs } from '../../../protocol/exclusive-inputs.js'
import { failure } from '../../../protocol/failures.js'
import { refuseWhileSpent } from '../continue.js'
import type { GovernedFacts, PricedFacts, UsedGrant } from '../facts/facts.js'
import { priceOf } from '../facts/price.js'
import { assertStandingNow, assertStillStanding } from '../../auth/token.js'
import { present } from '../../json/present.js'
import { refuse, Refusal } from '../../errors/refusal.js'
import type { Service } from '../../service.js'
import { draftOf } from '../settle/draft.js'
import { budgetHoldIdOf, takeBudgetHold } from './budget-hold.js'
import type { Invocation } from '../invocation.js'
import { exclusionKeyOf, leaseKeyOf, takeLease } from './lease.js'
import { takeShare, unitsWithin } from './pool.js'
import type { Reserved } from './reserved.js'

/**
 * Takes what only one call may have, one conditional statement each: a place under the rate limit, the exclusive
 * leases, the amount under every cumulative ceiling, a use of the grant. The intent is durable before anything is taken
 * for good, and the token still stands at the end.
 */
export async function reserve(
  service: Service,
  invocation: Invocation,
  facts: GovernedFacts,
  reserved: Reserved,
): Promise<void> {
  await (invocation.step === undefined ? takeForCall : takeForStep)(service, invocation, facts, reserved)
  await (reserved.intent === true ? assertStandingNow : assertStillStanding)(service, invocation.token)
}

async function takeForCall(
  service: Service,
  invocation: Invocation,
  facts: GovernedFacts,
  reserved: Reserved,
): Promise<void> {
  if (!service.rates.takeAtOnce(rateOf(invocation))) await takePlace(service, invocation)
  reserved.place = true
  invocation.listener?.reserve()
  const leaseKey = leaseKeyOf(invocation.token)
  if (leaseKey !== undefined) (reserved.leases ??= []).push(await takeLease(service, leaseKey, invocation.id, OF_TOKEN))
  await excludeOthers(service, invocation, facts, reserved)
  if (!isHarmless(invocation, facts, reserved)) await writeAhead(service, invocation, facts, reserved)
  if (priceOf(facts) !== undefined) await takeBudgetHold(service, invocation, facts, reserved)
  if (facts.approval.used !== undefined) await spendGrant(service, invocation, facts.approval.used, facts)
}

const OF_TOKEN = 'Another invocation of this exclusive token is in flight.'

/** No other call with the same values runs from here on, where the capability asks for that (`x-exclusive-by`). */
async function excludeOthers(
  service: Service,
  { id, name }: Invocation,
  facts: GovernedFacts,
  reserved: Reserved,
): Promise<void> {
  const key = exclusionKeyOf(facts)
  if (key === undefined) return
  const names = exclusiveInputs(facts.capability).join(', ')
  const detail = `Another invocation of ${name} with the same ${names} is in flight. Try again when it has ended.`
  ;(reserved.leases ??= []).push(await takeLease(service, key, id, detail))
}

/** Refuses a step whose share is not left, and takes nothing: nobody is asked to approve what could not be paid. */
export function assertShareIsLeft({ step }: Invocation, facts: PricedFacts): void {
  if (step === undefined) return
  unitsWithin(step.whole.pool, priceOf(facts), { id: step.id, description: facts.capability.description })
}

/** A step takes its share of what the whole has taken, and what the whole could not know. */
async function takeForStep(
  service: Service,
  invocation: Invocation,
  facts: GovernedFacts,
  reserved: Reserved,
): Promise<void> {
  const { pool, invocation: whole } = invocation.step!.whole
  takeShare(pool, priceOf(facts), { id: invocation.step!.id, description: facts.capability.description })
  await excludeOthers(service, invocation, facts, reserved)
  if (!isHarmless(invocation, facts, reserved)) await writeAhead(service, invocation, facts, reserved)
  if (!isInReservation(service, whole, facts)) await takeBudgetHold(service, invocation, facts, reserved)
}

/**
 * A step's amount was reserved with the whole, unless the whole could not know it: an estimate under no declared cost.
 */
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
  { grantId }: UsedGrant,
  { approval: { presented } }: GovernedFacts,
): Promise<void> {
  if (presented === undefined || (await service.storage.approvals.spend(grantId, id))) return
  if (request.approval === 'continue') refuseWhileSpent()
  const expired = Date.parse(presented.grant.expires_at) <= (await service.storage.now())
  refuse(
    'approval_grant_invalid',
    expired ? 'The grant has expired.' : 'The grant is used up. Call without it to open a new approval request.',
    {
      reason: expired ? 'expired' : 'consumed',
    },
  )
}

/** True when a crash can lose nothing. */
const isHarmless = (invocation: Invocation, facts: GovernedFacts, { claim }: Reserved): boolean =>
  facts.capability.side_effect.type === 'read' &&
  facts.approval.used === undefined &&
  claim === undefined &&
  budgetHoldIdOf(invocation, facts) === undefined

/** Makes the intent durable: a crash from here on leaves a trace (section 6). */
async function writeAhead(
  service: Service,
  invocation: Invocation,
  facts: GovernedFacts,
  reserved: Reserved,
): Promise<void> {
  const unknown = failure('outcome_unknown', 'The service stopped before the outcome was recorded.')
  const draft = draftOf(service, { invocation, facts, reserved, outcome: { ok: false, failure: unknown } })
  // Noted before it is known: a store that fails while it commits may have it, and whatever may be there must be
  // closed.
  reserved.intent = true
  await service.storage.intents.record(
    present({
      invocation_id: invocation.id,
      owner: service.owner,
      draft,
      hold_id: budgetHoldIdOf(invocation, facts),
      idempotency: reserved.claim,
      started_at: service.now(),
    }),
  )
}
