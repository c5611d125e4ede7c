import type { Failure } from '../../protocol/failures.js'
import type { Capability } from '../../protocol/manifest.js'
import { foreseenRefusal, isPricedByCall } from './checks/budget-covers.js'
import { costOf } from './facts/cost.js'
import type { TokenFacts } from './facts/facts.js'
import { priceOf } from './facts/price.js'
import { spendingRefusal, type SpentCeiling } from './reserve/budget-hold.js'

/** Returns what the budget of a token refuses, whatever a call passes, and what was spent under it before. */
export function refusalByBudget(
  capabilities: ReadonlyMap<string, Capability>,
  facts: TokenFacts,
  spent: readonly SpentCeiling[],
): Failure | undefined {
  const { budget } = facts.token.claims.constraints
  if (budget === undefined) return undefined
  const cost = costOf(capabilities, facts.capability, budget.currency)
  const priced = { ...facts, request: { parameters: {} }, cost, bindings: [] }
  return foreseenRefusal(priced) ?? (isPricedByCall(priced) ? undefined : spendingRefusal(spent, priceOf(priced)))
}
