import type { BudgetContext } from '../../../protocol/invocation.js'
import { fromMinorUnits, minorUnits, type Money } from '../../../protocol/money.js'
import type { DelegationClaims } from '../../../protocol/token.js'
import { refuse } from '../../errors/refusal.js'
import type { Service } from '../../service.js'
import type { Ceiling, Settlement } from '../../storage/contract.js'
import type { Invocation, SoFar } from '../invocation.js'
import type { Done, Failed } from '../settle/outcome.js'

/** The cumulative ceilings of a token's chain, root first. */
const ceilingsOf = ({ token: { chain } }: Invocation): readonly Ceiling[] =>
  chain.flatMap(({ claims }) => ceilingOf(claims))

function ceilingOf({ jti, constraints: { budget } }: DelegationClaims): readonly Ceiling[] {
  if (budget?.mode !== 'cumulative') return []
  return [{ tokenId: jti, maxUnits: minorUnits({ currency: budget.currency, amount: budget.max_amount }) ?? 0n }]
}

/** The id under which an amount will be held, when there is something to hold. */
export const holdIdOf = (invocation: Invocation): string | undefined =>
  invocation.soFar.checked !== undefined && ceilingsOf(invocation).length > 0 ? invocation.id : undefined

/** Reserves the checked amount under every cumulative ceiling of the chain, or under none. */
export async function holdAmount(service: Service, invocation: Invocation): Promise<void> {
  const { id, soFar } = invocation
  const ceilings = ceilingsOf(invocation)
  const own = ceilings.at(-1)
  if (own === undefined || soFar.checked === undefined) return
  const { currency } = soFar.checked
  const units = leftOf(soFar, soFar.checked)
  // Said before it is known: a store that fails while it commits may hold it, and what was not spent is given back.
  soFar.hold = { id, units, currency }
  const reservation = await service.storage.ledger.reserve(id, ceilings, units)
  if (!reservation.held) delete soFar.hold
  const isOwn = reservation.held || reservation.tokenId === own.tokenId
  const spent = isOwn ? reservation.spentUnits : await service.storage.ledger.spent(own.tokenId)
  soFar.under = { spent, most: own.maxUnits }
  if (soFar.budget !== undefined) soFar.budget = withSpending(soFar.budget, soFar.under, currency)
  if (!reservation.held) refuseSpending(isOwn ? fromMinorUnits(spent, currency) : undefined)
}

/** What others have spent under a token above is not for this caller to know. */
function refuseSpending(spent: Money | undefined): never {
  const detail =
    spent === undefined
      ? 'The rest of the cumulative budget of a token above this one does not cover the cost.'
      : `Of the cumulative budget, ${spent.amount} ${spent.currency} are spent or reserved; the rest does not cover the cost.`
  return refuse('budget_exceeded', detail)
}

/** What may still be spent of a checked amount: a continuation does not run, nor pay for, what had ended before. */
function leftOf({ finished = [] }: SoFar, checked: Money): bigint {
  const before = finished.flatMap(({ cost }) => (cost?.currency === checked.currency ? [minorUnits(cost) ?? 0n] : []))
  const left = before.reduce((rest, spent) => rest - spent, minorUnits(checked) ?? 0n)
  return left > 0n ? left : 0n
}

const withSpending = (
  budget: BudgetContext,
  { spent, most }: NonNullable<SoFar['under']>,
  currency: string,
): BudgetContext => ({
  ...budget,
  budget_spent: fromMinorUnits(spent, currency).amount,
  budget_remaining: fromMinorUnits(most > spent ? most - spent : 0n, currency).amount,
})

/** A hold becomes what was really spent; it stays whole while that is unknown or was paid in another currency. */
export function holdSettled({ soFar: { hold, steps } }: Invocation, outcome: Done | Failed): Settlement['hold'] {
  if (hold === undefined) return undefined
  const spent = steps === undefined ? [outcome.cost] : steps.map((step) => (step.isHeldApart ? undefined : step.cost))
  const costs = spent.filter((cost) => cost !== undefined)
  const isClear = !isUnknown(outcome) && costs.every(({ currency }) => currency === hold.currency)
  const units = costs.reduce((sum, cost) => sum + (minorUnits(cost) ?? 0n), 0n)
  return { holdId: hold.id, units: isClear ? units : hold.units }
}

/** Holds when nobody knows whether the invocation, or the step that ended it, has done its work. */
const isUnknown = (outcome: Done | Failed): boolean =>
  !outcome.ok &&
  (outcome.failure.type === 'outcome_unknown' || outcome.failure.step?.failure_type === 'outcome_unknown')

/** Takes a step whose price was checked and held apart, being an estimate, into what the caller is told of the whole. */
export function tellOfStep({ soFar: whole }: Invocation, step: Invocation, outcome: Done | Failed): void {
  const told = budgetAfter(step, outcome)
  if (told === undefined) return
  if (whole.under !== undefined)
    whole.under = { ...whole.under, spent: whole.under.spent + (holdSettled(step, outcome)?.units ?? 0n) }
  const before = whole.budget?.cost_check_amount
  const { checked } = step.soFar
  // What is too much by itself is told by itself.
  const isWithin = checked?.currency === told.budget_currency && checked.amount <= told.budget_max
  whole.budget =
    isWithin && before !== undefined
      ? { ...told, cost_check_amount: sumOf(told.budget_currency, [before, checked.amount]) }
      : told
}

function sumOf(currency: string, amounts: readonly number[]): number {
  const units = amounts.reduce((sum, amount) => sum + (minorUnits({ currency, amount }) ?? 0n), 0n)
  return fromMinorUnits(units, currency).amount
}

/** The budget as the caller is told of it: with what the call has really spent, not with what was held for it. */
export function budgetAfter(invocation: Invocation, outcome: Done | Failed): BudgetContext | undefined {
  const { budget, hold, under } = invocation.soFar
  const settled = holdSettled(invocation, outcome)
  if (budget === undefined || hold === undefined || under === undefined || settled === undefined) return budget
  return withSpending(budget, { ...under, spent: under.spent - hold.units + settled.units }, hold.currency)
}
