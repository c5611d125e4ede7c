import { failure, type Failure } from '../../../protocol/failures.js'
import { minorUnits } from '../../../protocol/money.js'
import { amountInputOf } from '../facts/cost.js'
import { ceilingOf, widening } from '../facts/ceiling.js'
import { byNewBinding } from '../recovery-target.js'
import { amountToCheck, boundPrice } from '../facts/price.js'
import type { PricedFacts } from '../facts/facts.js'
import type { Check } from './check.js'

type Judged = Pick<PricedFacts, 'capability' | 'cost' | 'token' | 'request' | 'bindings'>

/**
 * Returns the failure of every call of a token, whatever it passes: permissions show it, so that they never differ from
 * what invoke answers (decisions, section 21).
 */
export function foreseenRefusal(facts: Judged): Failure | undefined {
  const refusal = budgetCovers(facts)
  return isPricedByCall(facts) && refusal?.type !== 'budget_currency_mismatch' ? undefined : refusal
}

/** True where an input or a binding of the call fixes the amount. */
export const isPricedByCall = ({
  cost,
  capability: { requires_binding },
}: Pick<Judged, 'cost' | 'capability'>): boolean =>
  amountInputOf(cost, requires_binding) !== undefined ||
  (cost?.certainty === 'estimated' && requires_binding !== undefined && requires_binding.length > 0)

/** The amount that the call may cost is known, is in the budget's currency, and is within the ceiling (section 4.6). */
export const budgetCovers: Check<Judged> = ({ capability, cost, token, request, bindings }) => {
  const wider = widening({ token, request })
  if (wider !== undefined) return wider
  const budget = ceilingOf({ token, request })
  if (budget === undefined || cost?.financial === undefined) return undefined
  const amount = amountToCheck(cost, boundPrice(bindings))
  const { currency } = cost.financial
  const foreign = [currency, amount?.currency ?? currency].find((each) => each !== budget.currency)
  if (foreign !== undefined)
    return failure('budget_currency_mismatch', `The budget is in ${budget.currency}, the cost in ${foreign}.`)
  if (amount === undefined)
    return failure(
      'budget_not_enforceable',
      'The cost is an estimate, and no binding fixes the price.',
      requiresOf(capability),
    )
  const units = minorUnits(amount)
  if (units !== undefined && units <= minorUnits({ currency, amount: budget.max_amount })!) return undefined
  return failure(
    'budget_exceeded',
    `The cost of ${amount.amount} ${currency} exceeds the budget of ${budget.max_amount} ${currency}.`,
    {
      grantable_by: token.claims.root_principal,
    },
  )
}

const requiresOf = (capability: PricedFacts['capability']) => {
  const { requires_binding } = capability
  if (requires_binding === undefined) return {}
  const requires = requires_binding.map(({ field }) => field).join(', ')
  return { requires, ...byNewBinding(requires_binding[0]?.source_capability, capability) }
}
