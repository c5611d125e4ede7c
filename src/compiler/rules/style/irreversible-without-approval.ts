import { at, isAbsent } from '../../shape/view.js'
import { isComposed, isIrreversible, lacksControl } from '../facts/effects.js'
import { childOf } from '../facts/mappings.js'
import type { CapabilityFacts, CapabilityView, Rule } from '../rule.js'

export const irreversibleWithoutApproval = {
  code: 'SVC6001',
  slug: 'irreversible-without-approval',
  severity: 'warning',
  source: 'L',
  section: '1.4,3',
  description: 'An irreversible capability needs an approval, a stronger delegation or a principal class.',
  why:
    'A composition is controlled where each of its irreversible steps is: one that needs an approval pauses the whole, ' +
    'which goes on at that step. An approval of the composition besides asks a person twice.',
  ofCapability(facts, report) {
    const { capability } = facts
    if (!isUncontrolled(capability) || areStepsControlled(facts)) return
    report(
      at(capability.side_effect!, 'type'),
      '`irreversible`, with neither `approval` nor `stronger_delegation_required` nor `requires_principal`; ' +
        `control it${isComposed(capability) ? ', or its irreversible steps' : ''}.`,
    )
  },
} satisfies Rule

const isUncontrolled = (capability: CapabilityView): boolean =>
  isIrreversible(capability) &&
  isAbsent(capability, 'approval') &&
  isAbsent(capability, 'requires_principal') &&
  lacksControl(capability, 'stronger_delegation_required')

/** Checks whether a composition has irreversible steps, and each of them is controlled for every caller. */
function areStepsControlled(facts: CapabilityFacts): boolean {
  const steps = [...(facts.capability.composition?.steps ?? [])].map((step) => childOf(facts, step))
  const irreversible = steps.filter((step) => step !== undefined && isIrreversible(step))
  return irreversible.length > 0 && !irreversible.some((step) => isUncontrolled(step!))
}
