import { at, isAbsent } from '../../shape/view.js'
import { isReading, isIrreversible } from '../facts/effects.js'
import { childOf } from '../facts/mappings.js'
import type { Rule } from '../rule.js'

export const rollbackAcrossSteps = {
  code: 'SVC4411',
  slug: 'rollback-across-steps',
  severity: 'warning',
  source: 'L',
  section: '2.4,2.8',
  description: 'Every step of a transactional composition can be undone.',
  ofStep(facts, report) {
    const child = childOf(facts, facts.step)
    if (
      facts.capability.side_effect?.type !== 'transactional' ||
      child?.side_effect?.type === undefined ||
      isReading(child) ||
      isIrreversible(child)
    )
      return
    if (!isAbsent(child.side_effect, 'compensation')) return
    report(
      at(facts.step, 'capability'),
      `The parent is transactional, but its step \`${facts.step.capability}\` has no compensation.`,
    )
  },
} satisfies Rule
