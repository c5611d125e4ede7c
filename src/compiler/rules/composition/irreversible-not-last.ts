import { at } from '../../shape/view.js'
import { changesSomething, isIrreversible } from '../facts/effects.js'
import { childOf } from '../facts/mappings.js'
import type { Rule } from '../rule.js'

export const irreversibleNotLast = {
  code: 'SVC4410',
  slug: 'irreversible-not-last',
  severity: 'warning',
  source: 'L',
  section: '2.8',
  description: 'An irreversible step comes after those that can still fail.',
  needs: 'composition',
  ofCapability(facts, report) {
    const steps = facts.capability.composition?.steps
    if (steps === undefined) return
    for (const [index, step] of steps.entries()) {
      const child = childOf(facts, step)
      const later = steps.slice(index + 1).find((each) => {
        const next = childOf(facts, each)
        return next !== undefined && changesSomething(next)
      })
      if (child !== undefined && later !== undefined && isIrreversible(child))
        report(
          at(step, 'capability'),
          `The irreversible step \`${step.capability}\` runs before \`${later.capability}\`, whose failure could ` +
            'not undo it.',
        )
    }
  },
} satisfies Rule
