import type { Capability, Cost } from '../../protocol/manifest.js'
import { fromMinorUnits, minorUnits } from '../../protocol/money.js'
import { amountToCheck } from './price.js'

type Capabilities = ReadonlyMap<string, Capability>

/**
 * What a capability may cost: as declared, or, for a composition that declares nothing, what its steps may cost together
 * (section 2.8). Estimated steps are left out: their price is known only when they run.
 */
export function costOf(capabilities: Capabilities, { cost, composition }: Capability): Cost | undefined {
  if (cost !== undefined || composition === undefined) return cost
  const amounts = composition.steps.flatMap((step) => {
    const amount = amountOf(capabilities.get(step.capability))
    return amount === undefined ? [] : [amount]
  })
  const [first] = amounts
  if (first === undefined) return undefined
  const units = amounts.reduce((sum, amount) => sum + (minorUnits(amount) ?? 0n), 0n)
  const { amount: upper_bound } = fromMinorUnits(units, first.currency)
  return { certainty: 'dynamic', financial: { currency: first.currency, upper_bound } }
}

const amountOf = (capability: Capability | undefined) =>
  capability?.cost === undefined ? undefined : amountToCheck(capability.cost, undefined)
