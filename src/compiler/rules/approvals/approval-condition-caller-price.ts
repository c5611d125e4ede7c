import { at } from '../../shape/view.js'
import { inputsOf } from '../facts/names.js'
import type { Rule } from '../rule.js'

const NUMBERS = ['integer', 'number']

export const approvalConditionCallerPrice = {
  code: 'SVC7019',
  slug: 'approval-condition-caller-price',
  severity: 'warning',
  source: 'D',
  section: '2.12,2.7',
  description:
    'Where a binding fixes the price, a condition for an approval compares the cost, not an amount of the caller.',
  why: 'A caller that says 1 is asked for no approval, whatever the quote costs.',
  needs: 'approval',
  ofCapability({ capability }, report) {
    const inputs = inputsOf(capability)
    const needed = capability.approval?.required
    const { cost, requires_binding: bindings = [] } = capability
    if (inputs === undefined || typeof needed !== 'object') return
    if (cost?.financial === undefined || cost.certainty === 'fixed' || bindings.length === 0) return
    for (const condition of needed.when ?? []) {
      const input = inputs.get(condition.input ?? '')
      if (input?.type === undefined || !NUMBERS.includes(input.type)) continue
      report(
        at(condition, 'input'),
        `The caller says \`${input.name}\`, but a binding fixes the price. Compare the price: \`{ cost: { above: ` +
          '… } }`.',
      )
    }
  },
} satisfies Rule
