import { at } from '../../shape/view.js'
import { lacksControl } from '../facts/effects.js'
import { childOf } from '../facts/mappings.js'
import type { Rule } from '../rule.js'

export const parentControlMissing = {
  code: 'SVC4407',
  slug: 'parent-control-missing',
  severity: 'warning',
  source: 'D',
  section: '2.4,2.8',
  description: 'A composition requires the controls of its steps.',
  ofStep(facts, report) {
    for (const { type } of childOf(facts, facts.step)?.control_requirements ?? [])
      if (type !== undefined && lacksControl(facts.capability, type))
        report(
          at(facts.step, 'capability'),
          `The step \`${facts.step.capability}\` requires ${type}, the parent does not.`,
        )
  },
} satisfies Rule
