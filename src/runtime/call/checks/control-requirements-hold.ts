import { failure, type ResolutionAction } from '../../../protocol/failures.js'
import type { ControlRequirementType } from '../../../protocol/words.js'
import type { CallFacts, TokenFacts } from '../facts/facts.js'
import type { Check } from './check.js'

type Facts = TokenFacts & Pick<CallFacts, 'composedBy'>

/**
 * Token property that each requirement needs, and how to get it (section 2.4); a token bound to a composition is also
 * bound to its steps.
 */
// prettier-ignore
const REQUIREMENTS: { readonly [type in ControlRequirementType]: { readonly holds: (facts: Facts) => boolean, readonly action: ResolutionAction } } = {
  cost_ceiling:                 { holds: ({ token }) => token.claims.constraints.budget !== undefined, action: 'request_budget_bound_delegation' },
  stronger_delegation_required: { holds: ({ token, name, composedBy }) => token.claims.capability === (composedBy ?? name), action: 'request_capability_binding' },
}

/** The declared control requirements that a token does not meet. */
export const unmetRequirements = (facts: Facts): readonly ControlRequirementType[] =>
  (facts.capability.control_requirements ?? [])
    .map(({ type }) => type)
    .filter((type) => !REQUIREMENTS[type].holds(facts))

/** The token meets every control requirement of the capability (section 4.5). */
export const controlRequirementsHold: Check<Facts> = (facts) => {
  const unmet = unmetRequirements(facts)
  const [first] = unmet
  if (first === undefined) return undefined
  return failure('control_requirement_unsatisfied', `The token does not meet ${unmet.join(', ')}.`, {
    action: REQUIREMENTS[first].action,
    requires: unmet.join(', '),
    grantable_by: facts.token.claims.root_principal,
  })
}
