import type { BudgetContext } from '../../../protocol/invocation.js'
import { fromMinorUnits, minorUnits, type Money } from '../../../protocol/money.js'
import type { Settlement } from '../../storage/contract.js'
import { budgetContextOf, priceOf } from '../facts/price.js'
import { unitsLeft } from '../reserve/budget-hold.js'
import type { Reserved, StepSpending } from '../reserve/reserved.js'
import type { Ended, CallOutcome } from './outcome.js'

/**
 * A budget hold becomes what was really spent; it stays whole while that is unknown or was paid in another currency.
 */
export function settledHold({ reserved, outcome }: Ended): Settlement['hold'] {
  const { budgetHold } = reserved
  if (budgetHold === undefined) return undefined
  const costs = paidIn(reserved, outcome.cost, ({ isHeldApart }) => isHeldApart)
  const isClear = !isUnknown(outcome) && costs.every(({ currency }) => currency === budgetHold.currency)
  return { holdId: budgetHold.id, units: isClear ? sumOf(costs) : budgetHold.units, ceilings: budgetHold.ceilings }
}

/**
 * Returns the amount that an invocation paid itself: its cost, or that of its steps except those another party
 * accounts for.
 */
function paidIn({ steps = [] }: Reserved, cost: Money | undefined, isOther: (step: StepSpending) => boolean) {
  const paid = steps.filter((step) => step.cost !== undefined)
  const own = paid.length === 0 ? [{ cost }] : paid.filter((step) => !isOther(step))
  return own.flatMap((each) => each.cost ?? [])
}

/** Holds when an invocation, steps that were priced apart aside, cost more than was checked for it. */
export function exceeds(ended: Ended, checked: Money, cost: Money): boolean {
  const { reserved, facts } = ended
  if (cost.currency !== checked.currency) return true
  const { budgetHold } = reserved
  if (budgetHold !== undefined)
    return sumOf(paidIn(reserved, cost, ({ isHeldApart }) => isHeldApart)) > budgetHold.units
  return sumOf(paidIn(reserved, cost, ({ isPricedApart }) => isPricedApart)) > unitsLeft(facts, checked)
}

/** Settlement of the budget hold; undefined while the outcome is unknown. */
export const holdToSettle = (ended: Ended): Settlement['hold'] =>
  isUnknown(ended.outcome) ? undefined : settledHold(ended)

/** Returns the amount that cumulative budgets held for an invocation; undefined if they held nothing. */
export const heldFor = ({ reserved: { budgetHold } }: Ended): Money | undefined =>
  budgetHold && fromMinorUnits(budgetHold.units, budgetHold.currency)

/**
 * Returns the amount charged to cumulative budgets for an invocation, and for its steps that held nothing themselves.
 */
export function charged(ended: Ended): Money | undefined {
  const { budgetHold } = ended.reserved
  const settled = holdToSettle(ended)
  return budgetHold && settled && fromMinorUnits(settled.units, budgetHold.currency)
}

/** Returns the amount that cumulative budgets keep for an invocation while its outcome is unknown. */
export const stillHeld = (ended: Ended): Money | undefined => (isUnknown(ended.outcome) ? heldFor(ended) : undefined)

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

/** Adds the earlier price to the budget context, unless the checked amount alone exceeds the budget. */
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
