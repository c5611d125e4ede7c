import { fromMinorUnits, minorUnits, type Money } from '../../../protocol/money.js'
import type { Reserved } from './reserved.js'

/** Returns the costs of the steps so far, without steps that cost nothing. */
export const costsOfSteps = ({ steps = [] }: Reserved): readonly Money[] => steps.flatMap(({ cost }) => cost ?? [])

/** The sum of what the steps have cost so far, where all are in one currency. */
export function totalOfSteps(reserved: Reserved): { readonly cost?: Money } {
  const costs = costsOfSteps(reserved)
  const [first] = costs
  if (first === undefined || costs.some(({ currency }) => currency !== first.currency)) return {}
  const units = costs.reduce((sum, cost) => sum + (minorUnits(cost) ?? 0n), 0n)
  return { cost: fromMinorUnits(units, first.currency) }
}
