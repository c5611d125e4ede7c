import { at, keyOf } from '../../shape/view.js'
import { nearest } from '../../nearest.js'
import { inputsOf, outputNames } from '../facts/names.js'
import type { Rule } from '../rule.js'

export const bindingSourceField = {
  code: 'SVC2609',
  slug: 'binding-source-field',
  severity: 'warning',
  source: 'D',
  section: '2.4',
  description: "The source of a binding returns a field of the binding's name.",
  needs: 'requires_binding',
  ofCapability({ capability, capabilities }, report) {
    for (const binding of capability.requires_binding ?? []) {
      const source = binding.source_capability === undefined ? undefined : capabilities.get(binding.source_capability)
      const fields = source === undefined ? undefined : outputNames(source)
      if (fields === undefined || binding.field === undefined || inputsOf(capability)?.has(binding.field) !== true)
        continue
      if (
        fields.some(
          (name) => name.replace(/_id$/u, '') === binding.field!.replace(/_id$/u, '') || name === `${binding.field}s`,
        )
      )
        continue
      const near = nearest(binding.field, fields)
      report(
        at(binding, 'source_capability'),
        `\`${binding.source_capability}\` has no output field \`${binding.field}\`.${near === undefined ? '' : ` It has \`${near}\`.`}`,
        { related: [{ span: keyOf(source!, 'output'), message: 'Its output is declared here.' }] },
      )
    }
  },
} satisfies Rule
