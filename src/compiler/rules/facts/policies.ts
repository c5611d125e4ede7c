import type { Span } from '../../parse/tree.js'
import { at } from '../../shape/view.js'
import type { CapabilityView } from '../rule.js'

type ChildOutcome = 'child_approval_required' | 'child_clarification'

/**
 * Returns the span of a failure policy by which this child outcome fails the parent; undefined if it does not [2.8].
 */
export function failsParentAt({ composition }: CapabilityView, outcome: ChildOutcome): Span | undefined {
  const policy: unknown = composition?.failure_policy
  if (policy === 'fail_parent') return at(composition!, 'failure_policy')
  const words = policy as { readonly [name in ChildOutcome]?: string } | undefined
  return words?.[outcome] === 'fail_parent' ? at(policy as Parameters<typeof at>[0], outcome) : undefined
}
