import type { BudgetContext } from '../../../protocol/invocation.js'
import { fromMinorUnits, minorUnits, type Money } from '../../../protocol/money.js'
import type { Settlement } from '../../storage/contract.js'
import { budgetContextOf, priceOf } from '../facts/price.js'
import type { Reserved, StepSpending } from '../reserve/reserved.js'
import type { Ended, CallOutcome } from './outcome.js'

/**
 * A budget hold becomes what was really spent; it stays whole while that is unknown or was paid in another currency.
 */
export function settledHold({ reserved: { budgetHold, steps = [] }, outcome }: Ended): Settlement['hold'] {
  if (budgetHold === undefined) return undefined
  const paid = steps.filter(({ cost }) => cost !== undefined)
  const spent = paid.length === 0 ? [outcome] : paid.filter(({ isHeldApart }) => !isHeldApart)
  const costs = spent.flatMap(({ cost }) => cost ?? [])
  const isClear = !isUnknown(outcome) && costs.every(({ currency }) => currency === budgetHold.currency)
  return { holdId: budgetHold.id, units: isClear ? sumOf(costs) : budgetHold.units, ceilings: budgetHold.ceilings }
}

/** What becomes of the hold: while nobody knows what was done, it stays as it is, for whoever finds out. */
export const holdToSettle = (ended: Ended): Settlement['hold'] =>
  isUnknown(ended.outcome) ? undefined : settledHold(ended)

/** True when nobody knows whether the invocation, or the step that ended it, has done its work. */
const isUnknown = (outcome: CallOutcome): boolean =>
  !outcome.ok &&
  (outcome.failure.type === 'outcome_unknown' || outcome.failure.step?.failure_type === 'outcome_unknown')

/** The budget as the caller reads it: with what the call has really spent, not with what was reserved for it. */
export function budgetAfter(ended: Ended): BudgetContext | undefined {
  const { budgetHold, steps = [] } = ended.reserved
  const { budget, ceiling } = steps.reduce(withStep, {
    budget: budgetContextOf(ended.facts),
    ceiling: ended.reserved.ceiling,
  })
  const currency = budgetHold?.currency ?? priceOf(ended.facts)?.currency
  if (budget === undefined || ceiling === undefined || currency === undefined) return budget
  const unused = (budgetHold?.units ?? 0n) - (settledHold(ended)?.units ?? 0n)
  return withSpending(budget, { ...ceiling, spent: ceiling.spent - unused }, currency)
}

interface Shown {
  readonly budget: BudgetContext | undefined
  readonly ceiling: Reserved['ceiling']
}

/** Takes a step whose price was checked apart, being an estimate, into what the caller reads of the whole. */
function withStep({ budget, ceiling }: Shown, { priced }: StepSpending): Shown {
  if (priced === undefined) return { budget, ceiling }
  return {
    budget: withPrice(budget?.cost_check_amount, priced),
    ceiling: ceiling && { ...ceiling, spent: ceiling.spent + priced.heldUnits },
  }
}

/** What is too much by itself is shown by itself. */
function withPrice(
  before: number | undefined,
  { budget, checked }: NonNullable<StepSpending['priced']>,
): BudgetContext {
  const currency = budget.budget_currency
  if (before === undefined || checked?.currency !== currency || checked.amount > budget.budget_max) return budget
  return {
    ...budget,
    cost_check_amount: fromMinorUnits(sumOf([{ currency, amount: before }, checked]), currency).amount,
  }
}

const sumOf = (costs: readonly Money[]): bigint => costs.reduce((sum, cost) => sum + (minorUnits(cost) ?? 0n), 0n)

const withSpending = (
  budget: BudgetContext,
  { spent, most }: NonNullable<Reserved['ceiling']>,
  currency: string,
): BudgetContext => ({
  ...budget,
  budget_spent: fromMinorUnits(spent, currency).amount,
  budget_remaining: fromMinorUnits(most > spent ? most - spent : 0n, currency).amount,
})
