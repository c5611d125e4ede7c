import { at } from '../../shape/view.js'
import { isIrreversible } from '../facts/effects.js'
import type { Rule } from '../rule.js'

export const compensationIrreversible = {
  code: 'SVC2107',
  slug: 'compensation-irreversible',
  severity: 'warning',
  source: 'L',
  section: '2.4',
  description: 'A compensation is not itself irreversible.',
  ofCapability({ capability: { side_effect }, capabilities }, report) {
    const other = side_effect?.compensation
    const compensation = other === undefined ? undefined : capabilities.get(other)
    if (compensation === undefined || !isIrreversible(compensation)) return
    report(at(side_effect!, 'compensation'), `The compensation \`${other}\` is itself irreversible.`)
  },
} satisfies Rule
