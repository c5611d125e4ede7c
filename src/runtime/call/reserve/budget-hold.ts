import { failure, type Failure } from '../../../protocol/failures.js'
import { fromMinorUnits, minorUnits, type Money } from '../../../protocol/money.js'
import type { Budget, DelegationClaims } from '../../../protocol/token.js'
import { budgetEvent } from '../../events/event.js'
import { Refusal } from '../../errors/refusal.js'
import type { Service } from '../../service.js'
import type { Ceiling } from '../../storage/contract.js'
import type { GovernedFacts } from '../facts/facts.js'
import { priceOf } from '../facts/price.js'
import type { Invocation } from '../invocation.js'
import type { Reserved } from './reserved.js'

/** The cumulative ceilings of a token's chain, root first. */
const ceilingsOf = (service: Service, { token: { chain } }: Pick<Invocation, 'token'>): readonly Ceiling[] =>
  chain.flatMap(({ claims }) => ceilingOf(service, claims))

function ceilingOf(service: Service, claims: DelegationClaims): readonly Ceiling[] {
  const { budget } = claims.constraints
  if (budget?.mode !== 'cumulative') return []
  const maxUnits = minorUnits({ currency: budget.currency, amount: budget.max_amount }) ?? 0n
  return [{ tokenId: claims.jti, maxUnits, threshold: thresholdOf(service, claims, budget, maxUnits) }]
}

/** At 80 % somebody is told, once for each token. */
function thresholdOf(service: Service, claims: DelegationClaims, budget: Budget, maxUnits: bigint) {
  if (!service.notify.some(({ events }) => events.includes('budget.threshold'))) return undefined
  const eventAt = (spent: bigint) => budgetEvent(service, claims, budget, spent)!
  return { units: (maxUnits * 80n + 99n) / 100n, eventAt }
}

/** The id of the budget hold that a call will take, when there is something to reserve. */
export const budgetHoldIdOf = (invocation: Invocation, facts: GovernedFacts): string | undefined =>
  priceOf(facts) !== undefined && invocation.token.chain.some(({ claims }) => isCumulative(claims))
    ? invocation.id
    : undefined

const isCumulative = ({ constraints: { budget } }: DelegationClaims): boolean => budget?.mode === 'cumulative'

/** Reserves the checked amount under every cumulative ceiling of the chain, or under none. */
export async function takeBudgetHold(
  service: Service,
  invocation: Invocation,
  facts: GovernedFacts,
  reserved: Reserved,
): Promise<void> {
  const { id } = invocation
  const ceilings = ceilingsOf(service, invocation)
  const own = ceilings.at(-1)
  const checked = priceOf(facts)
  if (own === undefined || checked === undefined) return
  const { currency } = checked
  const units = unitsLeft(facts, checked)
  // Noted before it is known: a store that fails while it commits may have it, and what was not spent is given back.
  reserved.budgetHold = { id, units, currency, ceilings: ceilings.length }
  const reservation = await service.storage.ledger.reserve(id, ceilings, units)
  if (!reservation.held) delete reserved.budgetHold
  const isOwn = reservation.held || reservation.tokenId === own.tokenId
  const spent = isOwn ? reservation.spentUnits : await service.storage.ledger.spent(own.tokenId)
  reserved.ceiling = { spent, most: own.maxUnits }
  if (!reservation.held) throw new Refusal(spendingFailure(isOwn ? fromMinorUnits(spent, currency) : undefined))
}

/**
 * Refuses what the cumulative ceilings would not cover at this moment, before a person is asked to approve it. Nothing
 * is reserved: the call itself, once it is approved, is held to what is left then. A step is paid for by the hold of
 * its composition.
 */
export async function refuseWhatIsUnaffordable(
  service: Service,
  invocation: Invocation,
  facts: GovernedFacts,
): Promise<void> {
  const checked = priceOf(facts)
  if (checked === undefined || invocation.step !== undefined) return
  const spent = await spentCeilings(service, invocation)
  const refusal = spendingRefusal(spent, fromMinorUnits(unitsLeft(facts, checked), checked.currency))
  if (refusal !== undefined) throw new Refusal(refusal)
}

/** A cumulative ceiling of a token's chain, and what is spent or reserved below it. */
export interface SpentCeiling {
  readonly spent: bigint
  readonly most: bigint
  /** The ceiling is the token's own, not that of a token above it. */
  readonly isOwn: boolean
}

/** Returns what is spent under each cumulative ceiling of a token's chain, root first. */
export function spentCeilings(
  service: Service,
  { token }: Pick<Invocation, 'token'>,
): Promise<readonly SpentCeiling[]> {
  const ceilings = ceilingsOf(service, { token })
  return Promise.all(
    ceilings.map(async ({ tokenId, maxUnits }, at) => ({
      spent: await service.storage.ledger.spent(tokenId),
      most: maxUnits,
      isOwn: at === ceilings.length - 1,
    })),
  )
}

/** Returns the failure of a price that what is left under one of the ceilings does not cover. */
export function spendingRefusal(ceilings: readonly SpentCeiling[], price: Money | undefined): Failure | undefined {
  const units = price && minorUnits(price)
  const over = units === undefined ? undefined : ceilings.find(({ spent, most }) => spent + units > most)
  return over && spendingFailure(over.isOwn ? fromMinorUnits(over.spent, price!.currency) : undefined)
}

/** Fails without the spending of others under a parent token, which is not this caller's to know. */
function spendingFailure(spent: Money | undefined): Failure {
  const detail =
    spent === undefined
      ? 'The rest of the cumulative budget of a token above this one does not cover the cost.'
      : `Of the cumulative budget, ${spent.amount} ${spent.currency} are spent or reserved; the rest does not ` +
        'cover the cost.'
  return failure('budget_exceeded', detail)
}

/** Returns the rest of a checked amount: a continuation neither runs nor pays for finished steps. */
export function unitsLeft({ approval }: Partial<Pick<GovernedFacts, 'approval'>>, checked: Money): bigint {
  const before = (approval?.used?.finished ?? []).flatMap(({ cost }) =>
    cost?.currency === checked.currency ? [minorUnits(cost) ?? 0n] : [],
  )
  const left = before.reduce((rest, spent) => rest - spent, minorUnits(checked) ?? 0n)
  return left > 0n ? left : 0n
}
