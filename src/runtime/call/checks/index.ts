import type { Failure } from '../../../protocol/failures.js'
import { Refusal } from '../../errors/refusal.js'
import { amountIsWithinBound } from './amount-is-within-bound.js'
import { approvalIsGiven } from './approval-is-given.js'
import { bindingFieldsArePresent } from './binding-fields-are-present.js'
import { bindingsAreFreshAndGenuine } from './bindings-are-fresh-and-genuine.js'
import { budgetCovers } from './budget-covers.js'
import { capabilityBindingMatches } from './capability-binding-matches.js'
import { capabilityIsNotPaused } from './capability-is-not-paused.js'
import { chainIsShortEnough } from './chain-is-short-enough.js'
import { connectionIsThere } from './connection-is-there.js'
import { controlRequirementsHold } from './control-requirements-hold.js'
import type { CallFacts, GovernedFacts, PricedFacts, TokenFacts } from '../facts/facts.js'
import type { Check } from './check.js'
import { effectsAreDeclared } from './effects-are-declared.js'
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

/** The checks in the order of section 5.7 (decisions, section 21); the first failure wins. `reads` says how many facts a check needs. */
// prettier-ignore
export const CHECKS: readonly Row[] = [
  { reads: 'call',     check: streamingIsSupported },
  { reads: 'token',    check: principalMayCall },
  { reads: 'token',    check: scopeCovers },
  { reads: 'token',    check: capabilityBindingMatches },
  { reads: 'call',     check: taskMatches },
  { reads: 'token',    check: chainIsShortEnough },
  { reads: 'token',    check: controlRequirementsHold },
  { reads: 'call',     check: effectsAreDeclared },
  { reads: 'call',     check: capabilityIsNotPaused },
  { reads: 'fields',   check: bindingFieldsArePresent },
  { reads: 'binding',  check: connectionIsThere },
  { reads: 'binding',  check: bindingsAreFreshAndGenuine },
  { reads: 'price',    check: amountIsWithinBound },
  { reads: 'price',    check: budgetCovers },
  { reads: 'approval', check: approvalIsGiven },
]

/** Facts known when the checks of a stage run. */
interface FactsAt {
  readonly token: TokenFacts
  readonly call: CallFacts
  readonly fields: CallFacts
  readonly binding: PricedFacts
  readonly price: PricedFacts
  readonly approval: GovernedFacts
}

type Stage = keyof FactsAt

/**
 * The kinds of checks that each stage runs, in the order of the list: the stage of the call runs what a token alone
 * decides, too.
 */
// prettier-ignore
const RUNS: { readonly [stage in Stage]: readonly Row['reads'][] } = {
  token:    ['token'],
  call:     ['token', 'call'],
  fields:   ['fields'],
  binding:  ['binding'],
  price:    ['price'],
  approval: ['approval'],
}

const checksOf = (stage: Stage): readonly Row['check'][] =>
  CHECKS.filter(({ reads }) => RUNS[stage].includes(reads)).map(({ check }) => check)

const CHECKS_OF = Object.fromEntries(Object.keys(RUNS).map((stage) => [stage, checksOf(stage as Stage)])) as {
  readonly [stage in Stage]: readonly Check<FactsAt[stage]>[]
}

/** The first failure of the checks from the stage before until this one, or undefined if all hold. */
export function firstFailure<Until extends Stage>(until: Until, facts: FactsAt[Until]): Failure | undefined {
  for (const check of CHECKS_OF[until]) {
    const failure = check(facts)
    if (failure !== undefined) return failure
  }
  return undefined
}

/** Refuses with the first failure, or gives the facts of which all checks until this stage hold. */
export function enforce<Until extends Stage>(until: Until, facts: FactsAt[Until]): FactsAt[Until] {
  const reason = firstFailure(until, facts)
  if (reason === undefined) return facts
  throw new Refusal(reason)
}
