import { at } from '../../shape/view.js'
import { meant, nearest, question } from '../../nearest.js'
import { inputsOf } from '../facts/names.js'
import type { Rule } from '../rule.js'
import { DECLARED_NAMES } from '../why-not.js'

export const approvalInputUnknown = {
  code: 'SVC7014',
  slug: 'approval-input-unknown',
  severity: 'error',
  source: 'A',
  section: '2.12',
  description: 'A condition for an approval compares a declared input.',
  why: 'A value that is never there never asks for the approval.',
  whyNot: DECLARED_NAMES,
  ofCapability({ capability }, report) {
    const inputs = inputsOf(capability)
    const needed = capability.approval?.required
    if (inputs === undefined || typeof needed !== 'object') return
    for (const condition of needed.when ?? []) {
      if (condition.input === undefined || inputs.has(condition.input)) continue
      const near = nearest(condition.input, inputs.keys())
      report(
        at(condition, 'input'),
        `The condition compares \`${condition.input}\`, which is not an input.${question(near)}`,
        meant(near),
      )
    }
  },
} satisfies Rule
