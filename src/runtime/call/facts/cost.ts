import type { Capability, Cost, JsonObject } from '../../../protocol/manifest.js'
import { fromMinorUnits, minorUnits } from '../../../protocol/money.js'
import { amountToCheck } from './price.js'

type Capabilities = ReadonlyMap<string, Capability>

/**
 * Returns the possible cost of a capability: the declared one, or, for a composition without one, the sum of its
 * steps (section 2.8). Estimated steps are left out: their price is known only when they run. Steps in several
 * currencies have no sum; their cost has another currency than the budget, and no known amount.
 */
export function costOf(
  capabilities: Capabilities,
  { cost, composition }: Capability,
  budgetCurrency: string | undefined,
): Cost | undefined {
  if (cost !== undefined || composition === undefined) return cost
  const costs = composition.steps.flatMap((step) => capabilities.get(step.capability)?.cost ?? [])
  const currencies = costs.flatMap(({ financial }) => financial?.currency ?? [])
  const foreign = currencies.find((currency) => currency !== budgetCurrency)
  if (foreign !== undefined && currencies.some((currency) => currency !== foreign))
    return { certainty: 'dynamic', financial: { currency: foreign } }
  return sumOf(costs)
}

/**
 * The cost of this very call: where an input says the amount, that is what is checked (decisions, section 11). A
 * binding fixes the price instead; a value that is no amount is refused by its own check.
 */
export function costOfCall(
  cost: Cost | undefined,
  { requires_binding }: Capability,
  inputs: JsonObject,
): Cost | undefined {
  const name = amountInputOf(cost, requires_binding)
  const amount = name === undefined ? undefined : inputs[name]
  if (typeof amount !== 'number') return cost
  return { ...cost!, financial: { ...cost!.financial!, upper_bound: amount } }
}

/** The input that says what a call costs, where one does. */
export function amountInputOf(cost: Cost | undefined, bindings: Capability['requires_binding']): string | undefined {
  const name = cost?.financial?.['x-amount-input']
  const isBound = bindings !== undefined && bindings.length > 0
  return cost?.certainty !== 'dynamic' || isBound || typeof name !== 'string' ? undefined : name
}

function sumOf(costs: readonly Cost[]): Cost | undefined {
  const amounts = costs.flatMap((cost) => amountToCheck(cost, undefined) ?? [])
  const [first] = amounts
  if (first === undefined) return undefined
  const units = amounts.reduce((sum, amount) => sum + (minorUnits(amount) ?? 0n), 0n)
  const { amount: upper_bound } = fromMinorUnits(units, first.currency)
  return { certainty: 'dynamic', financial: { currency: first.currency, upper_bound } }
}
