import { failure, type Failure } from '../../../protocol/failures.js'
import { minorUnits } from '../../../protocol/money.js'
import type { Budget } from '../../../protocol/token.js'
import type { CallFacts } from './facts.js'

type Bounded = Partial<Pick<CallFacts, 'token' | 'request'>>

/**
 * Ceiling of a call: the budget of its token, or the narrower one that the call names (decisions, section 21). A wider
 * one is refused, and is told to nobody as a ceiling.
 */
export function ceilingOf({ token, request }: Bounded): Budget | undefined {
  const budget = token?.claims.constraints.budget
  const asked = request?.budget
  const isRefused = token !== undefined && request !== undefined && widening({ token, request }) !== undefined
  return asked === undefined || isRefused ? budget : { ...budget, ...asked }
}

/** The failure of a call that names a wider budget than its token has, as of a child that would. */
export function widening({ token, request }: Pick<CallFacts, 'token' | 'request'>): Failure | undefined {
  const [own, asked] = [token.claims.constraints.budget, request.budget]
  if (own === undefined || asked === undefined) return undefined
  const { currency, max_amount } = own
  if (asked.currency !== currency)
    return failure('budget_currency_mismatch', `The budget of the token is in ${currency}.`)
  const isWithin = minorUnits({ currency, amount: asked.max_amount })! <= minorUnits({ currency, amount: max_amount })!
  return isWithin ? undefined : failure('budget_exceeded', `The budget of the token is ${max_amount} ${currency}.`)
}
