import { at } from '../../shape/view.js'
import { meant, nearest, question } from '../../nearest.js'
import { inputsOf } from '../facts/names.js'
import type { Rule } from '../rule.js'
import { DECLARED_NAMES } from '../why-not.js'

export const bindingFieldUnknown = {
  code: 'SVC2605',
  slug: 'binding-field-unknown',
  severity: 'error',
  source: 'A',
  section: '2.4,7',
  description: 'The field of a binding is a declared input.',
  whyNot: DECLARED_NAMES,
  needs: 'requires_binding',
  ofCapability({ capability }, report) {
    const inputs = inputsOf(capability)
    if (inputs === undefined) return
    for (const binding of capability.requires_binding ?? []) {
      if (binding.field === undefined || inputs.has(binding.field)) continue
      const near = nearest(binding.field, inputs.keys())
      report(
        at(binding, 'field'),
        `The binding field \`${binding.field}\` is not an input.${question(near)}`,
        near === undefined
          ? {}
          : {
              ...meant(near),
              related: [{ span: at(inputs.get(near)!, 'name'), message: `\`${near}\` is declared here.` }],
            },
      )
    }
  },
} satisfies Rule
