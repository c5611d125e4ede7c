import { at } from '../../shape/view.js'
import { inputsOf } from '../facts/names.js'
import type { Rule } from '../rule.js'
import { DECLARED_NAMES } from '../why-not.js'

/** Types whose values cannot be the text that a binding id is. */
const NO_TEXT = ['integer', 'number', 'boolean', 'object', 'array']

export const bindingFieldType = {
  code: 'SVC2617',
  slug: 'binding-field-type',
  severity: 'error',
  source: 'D',
  section: '2.4,7',
  description: 'The input of a binding is a text.',
  why: 'It carries the id of the binding.',
  whyNot: DECLARED_NAMES,
  needs: 'requires_binding',
  ofCapability({ capability }, report) {
    const inputs = inputsOf(capability)
    for (const binding of capability.requires_binding ?? []) {
      const input = binding.field === undefined ? undefined : inputs?.get(binding.field)
      if (input?.type === undefined || !NO_TEXT.includes(input.type)) continue
      report(
        at(input, 'type'),
        `The binding field \`${binding.field}\` is of the type \`${input.type}\`; a binding id is a \`string\`.`,
        {
          related: [{ span: at(binding, 'field'), message: 'The binding is here.' }],
        },
      )
    }
  },
} satisfies Rule
