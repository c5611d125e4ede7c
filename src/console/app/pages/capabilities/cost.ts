import type { Capability, Cost } from '../../../../protocol/manifest.js'
import { amount, money } from '../../words/money.js'

/** Describes the declared cost of a call: `60.00 to 900.00 EUR, typically 240.00`, or `Free`. */
export function costWords({ cost }: Pick<Capability, 'cost'>): string {
  if (cost?.financial === undefined) return 'Free (none declared)'
  const { currency, amount: fixed, upper_bound, range_min, range_max, typical } = cost.financial
  const of = (value: number): string => amount({ amount: value, currency })
  if (fixed !== undefined) return money({ amount: fixed, currency })
  if (upper_bound !== undefined) return `Up to ${money({ amount: upper_bound, currency })}`
  const usual = typical === undefined ? '' : `, typically ${of(typical)}`
  if (range_min !== undefined && range_max !== undefined)
    return `${of(range_min)} to ${of(range_max)} ${currency}${usual}`
  return typical === undefined
    ? `An estimated amount in ${currency}`
    : `Typically ${money({ amount: typical, currency })}`
}

/** The most that a declared cost names: what a budget for one call would be. */
export const mostOf = ({ financial }: Cost): number | undefined =>
  financial?.amount ?? financial?.upper_bound ?? financial?.range_max ?? financial?.typical
