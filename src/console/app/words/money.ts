import type { Money } from '../../../protocol/money.js'
import { decimalsOf } from '../../../protocol/money.js'

/** `12,480.00`, with the decimals of the currency. */
export function amount({ amount: value, currency }: Money): string {
  const digits = decimalsOf(currency) ?? 2
  return new Intl.NumberFormat('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value)
}

/** `12,480.00 EUR`. */
export const money = (of: Money): string => `${amount(of)} ${of.currency}`

/** Returns the rest of a budget after a call, never below zero; exact in the currency's minor units. */
export function left(budget: Money, ...taken: readonly number[]): Money {
  const scale = 10 ** (decimalsOf(budget.currency) ?? 2)
  const units = taken.reduce((rest, each) => rest - Math.round(each * scale), Math.round(budget.amount * scale))
  return { currency: budget.currency, amount: Math.max(0, units) / scale }
}

/** Returns a percentage, at least 1 for anything above zero. */
export const percentOf = (part: number, whole: number): number =>
  whole <= 0 || part <= 0 ? 0 : Math.max(1, Math.round((part / whole) * 100))

/** Returns what calls cost together, exact in minor units; undefined where one cost is unknown or in another currency. */
export function sumOf(costs: readonly (Money | undefined)[]): Money | undefined {
  const [first] = costs
  if (first === undefined || !costs.every((cost) => cost?.currency === first.currency)) return undefined
  const scale = 10 ** (decimalsOf(first.currency) ?? 2)
  const units = costs.reduce((sum, cost) => sum + Math.round((cost?.amount ?? 0) * scale), 0)
  return { currency: first.currency, amount: units / scale }
}
