import { at, keyOf, isAbsent } from '../../shape/view.js'
import { costToDeclare } from '../facts/composed-cost.js'
import { childOf } from '../facts/mappings.js'
import type { Rule } from '../rule.js'
import { OTHER_CAPABILITY } from '../why-not.js'

export const parentCostMissing = {
  code: 'SVC4404',
  slug: 'parent-cost-missing',
  severity: 'error',
  source: 'D',
  section: '2.7,2.8',
  description: 'A composition with a step that costs money declares a cost.',
  why: 'Otherwise no budget is checked.',
  whyNot: OTHER_CAPABILITY,
  needs: 'composition',
  ofCapability(facts, report) {
    const { capability } = facts
    if (
      capability.composition === undefined ||
      (capability.cost === undefined ? !isAbsent(capability, 'cost') : !isAbsent(capability.cost, 'financial'))
    )
      return
    const step = [...(capability.composition.steps ?? [])].find(
      (each) => childOf(facts, each)?.cost?.financial !== undefined,
    )
    if (step !== undefined)
      report(
        at(step, 'capability'),
        `The step \`${step.capability}\` costs money, and the parent declares no cost: no budget is checked. ` +
          costToDeclare(facts),
        { related: [{ span: keyOf(childOf(facts, step)!, 'cost'), message: 'Its cost is here.' }] },
      )
  },
} satisfies Rule
