import { at } from '../../shape/view.js'
import { mustBeSupplied } from '../facts/defaults.js'
import { inputsOf, outputNames } from '../facts/names.js'
import type { Rule } from '../rule.js'

export const compensationInputs = {
  code: 'SVC2111',
  slug: 'compensation-inputs',
  severity: 'warning',
  source: 'D',
  section: '2.4',
  description: 'A required input of a compensation is an output field or an input of what it undoes.',
  why: 'Whoever undoes has only these at hand.',
  ofCapability({ name, capability, capabilities }, report) {
    const other = capability.side_effect?.compensation
    const compensation = other === undefined ? undefined : capabilities.get(other)
    const outputs = outputNames(capability)
    const inputs = inputsOf(capability)
    if (compensation === undefined || outputs === undefined || inputs === undefined) return
    for (const input of compensation.inputs ?? []) {
      if (input.name === undefined || !mustBeSupplied(input)) continue
      if (outputs.includes(input.name) || inputs.has(input.name)) continue
      report(
        at(capability.side_effect!, 'compensation'),
        `The compensation \`${other}\` needs the input \`${input.name}\`, which is neither an output field nor ` +
          `an input of \`${name}\`.`,
        {
          related: [{ span: at(input, 'name'), message: 'The input is declared here.' }],
        },
      )
    }
  },
} satisfies Rule
