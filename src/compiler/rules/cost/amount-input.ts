import { at } from '../../shape/view.js'
import { inputsOf } from '../facts/names.js'
import { meant, nearest, question } from '../../nearest.js'
import type { InputView } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { members, says, some, when } from '../schema-part.js'
import { DECLARED_NAMES } from '../why-not.js'

const NUMBERS = ['integer', 'number']

export const amountInput = {
  code: 'SVC2525',
  slug: 'amount-input',
  severity: 'error',
  source: 'D',
  section: '2.7',
  description: '`x-amount-input` names a required number of a dynamic cost without a binding, or is false.',
  why: 'What is not checked as the amount of the call must not look as if it were.',
  schema: {
    'financial cost': members({ 'x-amount-input': some({ type: 'string' }, { const: false }) }),
    capability: when(
      says({ cost: says({ financial: says({ 'x-amount-input': { type: 'string' } }) }) }),
      members({ cost: members({ certainty: { const: 'dynamic' } }), requires_binding: { type: 'array', maxItems: 0 } }),
    ),
  },
  whyNot: DECLARED_NAMES,
  needs: 'cost',
  ofCapability({ capability }, report) {
    const { cost, requires_binding: bindings } = capability
    const name = cost?.financial?.['x-amount-input']
    if (name === undefined || name === false) return
    const place = at(cost!.financial!, 'x-amount-input')
    if (typeof name !== 'string') return report(place, '`x-amount-input` is the name of an input, or false.')
    if (cost!.certainty !== undefined && cost!.certainty !== 'dynamic')
      return report(place, `Only a dynamic cost has an \`x-amount-input\`; this one is ${cost!.certainty}.`)
    if (bindings !== undefined && bindings.length > 0)
      return report(place, 'A binding fixes the price; remove `x-amount-input`, or make it false.')
    const inputs = inputsOf(capability)
    const input = inputs?.get(name)
    if (inputs === undefined) return
    if (input === undefined) {
      const near = nearest(name, inputs.keys())
      return report(place, `\`x-amount-input\` names \`${name}\`, which is not an input.${question(near)}`, meant(near))
    }
    const wrong = wrongWith(input)
    if (wrong !== undefined) report(place, `\`x-amount-input\` names \`${name}\`, which is ${wrong}.`)
  },
} satisfies Rule

function wrongWith({ type, required }: InputView): string | undefined {
  if (type !== undefined && !NUMBERS.includes(type)) return `of the type \`${type}\`; an amount is a number`
  return required === false ? 'optional; make it required' : undefined
}
