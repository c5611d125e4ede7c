import { at } from '../../shape/view.js'
import { inputsOf } from '../facts/names.js'
import type { Rule } from '../rule.js'

export const bindingFieldOptional = {
  code: 'SVC2606',
  slug: 'binding-field-optional',
  severity: 'warning',
  source: 'D',
  section: '2.4,7',
  description: 'The input of a binding is required.',
  why: 'Without it the call ends in binding_missing.',
  needs: 'requires_binding',
  ofCapability({ capability }, report) {
    const inputs = inputsOf(capability)
    for (const binding of capability.requires_binding ?? []) {
      const input = binding.field === undefined ? undefined : inputs?.get(binding.field)
      if (input?.required !== false) continue
      report(
        at(input, 'required'),
        `The binding field \`${binding.field}\` is optional, yet a call without it ends in binding_missing; make ` +
          'it required.',
        { related: [{ span: at(binding, 'field'), message: 'The binding is here.' }] },
      )
    }
  },
} satisfies Rule
