import { at } from '../../shape/view.js'
import { isReading } from '../facts/effects.js'
import type { Rule } from '../rule.js'
import { OTHER_CAPABILITY } from '../why-not.js'

export const compensationReads = {
  code: 'SVC2106',
  slug: 'compensation-reads',
  severity: 'error',
  source: 'D',
  section: '2.4',
  description: 'A compensation does not merely read.',
  whyNot: OTHER_CAPABILITY,
  ofCapability({ name, capability: { side_effect }, capabilities }, report) {
    const other = side_effect?.compensation
    const compensation = other === undefined || other === name ? undefined : capabilities.get(other)
    if (compensation === undefined || !isReading(compensation)) return
    report(at(side_effect!, 'compensation'), `\`${other}\` only reads; it cannot undo \`${name}\`.`, {
      related: [{ span: at(compensation.side_effect!, 'type'), message: 'Its side effect is `read`.' }],
    })
  },
} satisfies Rule
