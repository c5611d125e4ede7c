import { at, isAbsent } from '../../shape/view.js'
import { inputsOf } from '../facts/names.js'
import type { Rule } from '../rule.js'

const NUMBERS = ['integer', 'number']

export const amountInputMissing = {
  code: 'SVC2526',
  slug: 'amount-input-missing',
  severity: 'warning',
  source: 'D',
  section: '2.7',
  description: 'Where a numeric input determines a dynamic cost, `x-amount-input` names it, or is false.',
  why: 'Budgets are compared with `upper_bound`; without `x-amount-input` nobody checks the value of the input.',
  needs: 'cost',
  ofCapability({ capability }, report) {
    const { cost } = capability
    if (cost?.certainty !== 'dynamic' || cost.financial === undefined) return
    const input = inputsOf(capability)?.get(cost.determined_by ?? '')
    if (input?.type === undefined || !NUMBERS.includes(input.type)) return
    const named = cost.financial['x-amount-input']
    if (named === undefined ? !isAbsent(cost.financial, 'x-amount-input') : named === false || named === input.name)
      return
    report(
      at(cost, 'determined_by'),
      `\`${input.name}\` is not checked against \`upper_bound\`. Add \`x-amount-input: ${input.name}\` to ` +
        '`financial`, or `x-amount-input: false` if it is no amount.',
    )
  },
} satisfies Rule
