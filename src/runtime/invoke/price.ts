import type { BudgetContext } from '../../protocol/invocation.js'
import type { Cost } from '../../protocol/manifest.js'
import type { Money } from '../../protocol/money.js'
import { present } from '../present.js'
import type { PresentedBinding, PricedFacts } from '../checks/facts.js'

/** The price that a binding fixes, from storage, never from the caller. */
export const boundPrice = (bindings: readonly PresentedBinding[]): Money | undefined =>
  bindings.find(({ known }) => known?.price !== undefined)?.known?.price

/** The amount to check: by certainty, and for an estimate only where a binding fixes the price (section 4.6). */
export function amountToCheck({ certainty, financial }: Cost, price: Money | undefined): Money | undefined {
  if (certainty === 'estimated') return price
  const amount = certainty === 'fixed' ? financial?.amount : financial?.upper_bound
  return financial === undefined || amount === undefined ? undefined : { currency: financial.currency, amount }
}

/** The amount to check for a call; undefined where the capability costs nothing or the amount is not known. */
export const priceOf = ({ cost, bindings }: Pick<PricedFacts, 'cost' | 'bindings'>): Money | undefined =>
  cost === undefined ? undefined : amountToCheck(cost, boundPrice(bindings))

/** What a caller is told whenever a budget was looked at; undefined when none was. */
export function budgetContextOf({ cost, token, bindings }: PricedFacts): BudgetContext | undefined {
  const budget = token.claims.constraints.budget
  if (budget === undefined || cost?.financial === undefined) return undefined
  return present({
    budget_max: budget.max_amount,
    budget_currency: budget.currency,
    cost_check_amount: amountToCheck(cost, boundPrice(bindings))?.amount,
    cost_certainty: cost.certainty,
  })
}
