import type { BudgetContext } from '../../../protocol/invocation.js'
import type { Cost } from '../../../protocol/manifest.js'
import { fromMinorUnits, minorUnits, type Money } from '../../../protocol/money.js'
import { present } from '../../json/present.js'
import { ceilingOf } from './ceiling.js'
import type { Facts, PresentedBinding, PricedFacts } from './facts.js'

/**
 * The price that the bindings fix together, from storage, never from the caller; undefined where it has no one
 * currency.
 */
export function boundPrice(bindings: readonly PresentedBinding[]): Money | undefined {
  const prices = bindings.flatMap(({ known }) => (known?.price === undefined ? [] : [known.price]))
  const [first, ...others] = prices
  if (first === undefined || others.length === 0) return first
  const units = prices.map(minorUnits).filter((each) => each !== undefined)
  if (units.length < prices.length || others.some(({ currency }) => currency !== first.currency)) return undefined
  return fromMinorUnits(
    units.reduce((sum, each) => sum + each, 0n),
    first.currency,
  )
}

/** The amount to check: by certainty, and for an estimate only where a binding fixes the price (section 4.6). */
export function amountToCheck({ certainty, financial }: Cost, price: Money | undefined): Money | undefined {
  if (certainty === 'estimated') return price
  const amount = certainty === 'fixed' ? financial?.amount : financial?.upper_bound
  return financial === undefined || amount === undefined ? undefined : { currency: financial.currency, amount }
}

/** The amount to check for a call; undefined where the capability costs nothing or the amount is not known. */
export const priceOf = ({ cost, bindings = [] }: Pick<Facts, 'cost' | 'bindings'>): Money | undefined =>
  cost === undefined ? undefined : amountToCheck(cost, boundPrice(bindings))

type Compared = Pick<PricedFacts, 'capability' | 'bindings' | 'cost'>

/**
 * Returns the amount that approval conditions compare (decisions, section 10): the price fixed by bindings, or else
 * the checked amount, in the declared currency. Undefined if unknown: nothing is declared, or the price is in another
 * currency.
 */
export function costToCompare({ capability, bindings, cost }: Compared): Money | undefined {
  if (capability.cost === undefined || cost?.financial === undefined) return undefined
  const isPriced = cost.certainty !== 'fixed' && bindings.some(({ known }) => known?.price !== undefined)
  const amount = isPriced ? boundPrice(bindings) : amountToCheck(cost, undefined)
  return amount?.currency === cost.financial.currency ? amount : undefined
}

/** Returns the budget context for a caller whenever a budget was checked; undefined if none was. */
export function budgetContextOf({ cost, token, request, bindings = [] }: Facts): BudgetContext | undefined {
  const budget = ceilingOf(present({ token, request }))
  if (budget === undefined || cost?.financial === undefined) return undefined
  return present({
    budget_max: budget.max_amount,
    budget_currency: budget.currency,
    cost_check_amount: amountToCheck(cost, boundPrice(bindings))?.amount,
    cost_certainty: cost.certainty,
  })
}
