import { at } from '../schema/view.js'
import { childOf } from './facts/mappings.js'
import type { Rule } from './rule.js'

export const parentsCostInTheCurrencyOfSteps = {
  code: 'SVC4406',
  slug: 'parent-cost-currency',
  severity: 'error',
  source: 'D',
  section: '2.7,2.8',
  law: 'A composition and its steps cost in one currency.',
  ofStep(facts, tell) {
    const own = facts.capability.cost?.financial
    const child = childOf(facts, facts.step)?.cost?.financial
    if (own?.currency === undefined || child?.currency === undefined || own.currency === child.currency) return
    tell(
      at(own, 'currency'),
      `The step \`${facts.step.capability}\` costs ${child.currency}, the parent declares ${own.currency}.`,
      { related: [{ spot: at(child, 'currency'), message: 'The step has its currency here.' }] },
    )
  },
} satisfies Rule
