import { failure, type Failure } from '../../../protocol/failures.js'
import { durationMs } from '../../../protocol/durations.js'
import { byNewBinding } from '../recovery-target.js'
import type { PresentedBinding, PricedFacts } from '../facts/facts.js'
import type { Check } from './check.js'

/**
 * Every binding was issued here (or by a trusted hook) for this root principal, is of the right kind, and is young
 * enough.
 */
export const bindingsAreFreshAndGenuine: Check<PricedFacts> = (facts) => {
  const stale = facts.bindings.find((binding) => !isGenuine(binding, facts) || !isFresh(binding, facts.now))
  if (stale === undefined) return undefined
  if (facts.composedBy !== undefined) return staleInStep(stale, facts, facts.composedBy)
  const source = stale.source_capability === undefined ? '' : ` Obtain a new one from ${stale.source_capability}.`
  return failure('binding_stale', `The parameter ${stale.field} carries no valid ${stale.type} binding.${source}`, {
    requires: stale.field,
    ...byNewBinding(stale.source_capability, facts.capability),
  })
}

/** The caller of a composition gave no such parameter: an earlier step did, perhaps long before somebody approved this one. */
const staleInStep = ({ type }: PresentedBinding, { name }: PricedFacts, composedBy: string): Failure =>
  failure(
    'binding_stale',
    `The ${type} that an earlier step of ${composedBy} gave to ${name} is not valid any more. Make the same call ` +
      'without a grant: the steps run again, and who approves is asked again.',
  )

function isGenuine({ known, type, source_capability }: PresentedBinding, { token }: PricedFacts): boolean {
  if (known === undefined || known.type !== type) return false
  if ('root_principal' in known && known.root_principal !== token.claims.root_principal) return false
  return source_capability === undefined || !('capability' in known) || known.capability === source_capability
}

function isFresh({ known, max_age }: PresentedBinding, now: number): boolean {
  if (known === undefined || known.issued_at > now) return false
  return max_age === undefined || now - known.issued_at <= (durationMs(max_age) ?? 0)
}
