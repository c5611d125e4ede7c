import type { JsonObject } from '../../protocol/manifest.js'
import { decimalsOf, minorUnits } from '../../protocol/money.js'
import type { Budget } from '../../protocol/token.js'
import { BUDGET_MODES } from '../../protocol/words.js'
import { present } from '../json/present.js'
import { refuse } from '../errors/refusal.js'
import { membersOf, objectMember, wordAmong } from './members.js'

/** The member `budget` of a token request, or of a call (section 4.4; decisions, section 21). */
export function budgetMember(given: JsonObject): Budget | undefined {
  const budget = objectMember(given, 'budget')
  if (budget === undefined) return undefined
  const { currency, max_amount } = membersOf(budget, ['currency', 'max_amount', 'mode'])
  if (typeof currency !== 'string' || decimalsOf(currency) === undefined)
    return refuse('invalid_parameters', 'The member budget.currency must be an ISO 4217 code in capitals, such as EUR.')
  if (typeof max_amount !== 'number' || minorUnits({ currency, amount: max_amount }) === undefined)
    return refuse(
      'invalid_parameters',
      `The member budget.max_amount must be a non-negative amount in whole minor units of ${currency}.`,
    )
  return present({ currency, max_amount, mode: wordAmong(budget, 'mode', BUDGET_MODES) })
}

/** A budget of one call, which counts no other one. */
export function budgetOfCall(given: JsonObject): Budget | undefined {
  const budget = budgetMember(given)
  if (budget?.mode !== 'cumulative') return budget
  return refuse('invalid_parameters', 'The budget of a call is of this call: leave out the member budget.mode.')
}
