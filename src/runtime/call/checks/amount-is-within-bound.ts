import { failure } from '../../../protocol/failures.js'
import { decimalsOf, minorUnits } from '../../../protocol/money.js'
import { amountInputOf } from '../facts/cost.js'
import type { PricedFacts } from '../facts/facts.js'
import type { Check } from './check.js'

/**
 * The input that says what the call costs is an amount of the currency, and within the declared bound, budget or not
 * (decisions, section 11).
 */
export const amountIsWithinBound: Check<PricedFacts> = ({ capability: { cost, requires_binding }, inputs }) => {
  const name = amountInputOf(cost, requires_binding)
  if (name === undefined) return undefined
  const { currency, upper_bound: most } = cost!.financial!
  const units = minorUnits({ currency, amount: inputs[name] as number })
  const bound = most === undefined ? undefined : minorUnits({ currency, amount: most })
  if (units !== undefined && bound !== undefined && units <= bound) return undefined
  return failure(
    'invalid_parameters',
    `Not valid: ${name} must be an amount from 0 to ${most} ${currency}, with at most ${decimalsOf(currency)} ` +
      'decimals.',
  )
}
