import { fromMinorUnits } from '../../../protocol/money.js'
import type { CapabilityFacts, CapabilityView } from '../rule.js'
import { childOf } from './mappings.js'
import { checkedPriceOf } from './money.js'

/** Cost that a composition must declare if its steps fix their prices after it has begun, as sentences. */
export const AS_STEPS_FIX_IT =
  'Its steps fix the price after the call has begun: declare `certainty: dynamic` with the most that they cost ' +
  'together as `upper_bound`, which every budget must then cover; or add `x-amount-input: limit` and a required ' +
  'number `limit`, by which the caller says the most that this call may cost.'

/** The steps of a composition that cost money. */
export const payingSteps = (facts: CapabilityFacts): readonly CapabilityView[] =>
  [...(facts.capability.composition?.steps ?? [])].flatMap((step) => {
    const child = childOf(facts, step)
    return child?.cost?.financial === undefined ? [] : [child]
  })

/** The cost that a composition without one declares, as a sentence: the sum, where each step has a fixed price. */
export function costToDeclare(facts: CapabilityFacts): string {
  const steps = payingSteps(facts)
  const prices = steps.map((step) => (step.cost?.certainty === 'fixed' ? checkedPriceOf(step) : undefined))
  const [first] = prices
  if (first === undefined || prices.some((price) => price?.currency !== first.currency)) return AS_STEPS_FIX_IT
  const units = prices.reduce((sum, price) => sum + price!.units, 0n)
  const { currency, amount } = fromMinorUnits(units, first.currency)
  return `Write \`cost: { certainty: fixed, financial: { currency: ${currency}, amount: ${amount} } }\`.`
}
