import type { Failure } from '../../../protocol/failures.js'
import { approvalIsGiven } from './approval-is-given.js'
import { bindingFieldsArePresent } from './binding-fields-are-present.js'
import { bindingsAreFreshAndGenuine } from './bindings-are-fresh-and-genuine.js'
import { budgetCovers } from './budget-covers.js'
import { capabilityBindingMatches } from './capability-binding-matches.js'
import { chainIsShortEnough } from './chain-is-short-enough.js'
import { controlRequirementsHold } from './control-requirements-hold.js'
import type { CallFacts, Check, GovernedFacts, PricedFacts, TokenFacts } from './facts.js'
import { principalMayCall } from './principal-may-call.js'
import { scopeCovers } from './scope-covers.js'
import { streamingIsSupported } from './streaming-is-supported.js'
import { taskMatches } from './task-matches.js'

type Row =
  | { readonly reads: 'token'; readonly check: Check<TokenFacts> }
  | { readonly reads: 'call'; readonly check: Check<CallFacts> }
  | { readonly reads: 'fields'; readonly check: Check<CallFacts> }
  | { readonly reads: 'binding'; readonly check: Check<PricedFacts> }
  | { readonly reads: 'price'; readonly check: Check<PricedFacts> }
  | { readonly reads: 'approval'; readonly check: Check<GovernedFacts> }

/** The checks in the order of section 5.7; the first failure wins. `reads` says how many facts a check needs. */
// prettier-ignore
export const CHECKS: readonly Row[] = [
  { reads: 'call',     check: streamingIsSupported },
  { reads: 'token',    check: scopeCovers },
  { reads: 'token',    check: capabilityBindingMatches },
  { reads: 'call',     check: taskMatches },
  { reads: 'token',    check: principalMayCall },
  { reads: 'token',    check: chainIsShortEnough },
  { reads: 'token',    check: controlRequirementsHold },
  { reads: 'fields',   check: bindingFieldsArePresent },
  { reads: 'binding',  check: bindingsAreFreshAndGenuine },
  { reads: 'price',    check: budgetCovers },
  { reads: 'approval', check: approvalIsGiven },
]

const checksThatRead = <Facts>(...kinds: readonly Row['reads'][]): readonly Check<Facts>[] =>
  CHECKS.filter(({ reads }) => kinds.includes(reads)).map(({ check }) => check as Check<Facts>)

/** What permission discovery asks: the very checks that invoke runs, of those that a token alone decides. */
export const TOKEN_CHECKS = checksThatRead<TokenFacts>('token')
export const CALL_CHECKS = checksThatRead<CallFacts>('token', 'call')
/** After what a token alone decides, of the steps of a composition too. */
export const FIELD_CHECKS = checksThatRead<CallFacts>('fields')
/** What must hold before a bound price is worth a look: it may be another principal's. */
export const BINDING_CHECKS = checksThatRead<PricedFacts>('binding')
export const PRICE_CHECKS = checksThatRead<PricedFacts>('price')
export const APPROVAL_CHECKS = checksThatRead<GovernedFacts>('approval')

/** The first failure of a list of checks, or undefined if all hold. */
export function firstFailure<Facts>(checks: readonly Check<Facts>[], facts: Facts): Failure | undefined {
  for (const check of checks) {
    const failure = check(facts)
    if (failure !== undefined) return failure
  }
  return undefined
}
