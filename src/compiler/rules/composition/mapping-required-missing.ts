import { at, keyOf } from '../../shape/view.js'
import { unmappedInputs } from '../facts/mappings.js'
import type { Rule } from '../rule.js'
import { OTHER_CAPABILITY } from '../why-not.js'

export const mappingRequiredMissing = {
  code: 'SVC4103',
  slug: 'mapping-required-missing',
  severity: 'error',
  source: 'D',
  section: '2.8',
  description: 'Every required input of a step is mapped, or has a literal.',
  whyNot: OTHER_CAPABILITY,
  ofStep(facts, report) {
    const { capability, step } = facts
    const mapping = capability.composition?.input_mapping
    for (const input of unmappedInputs(facts, step)) {
      const span = step.id !== undefined && mapping?.[step.id] !== undefined ? keyOf(mapping, step.id) : at(step, 'id')
      report(
        span,
        `The required input \`${input.name}\` of the step \`${step.id}\` is not mapped and has no literal.`,
        {
          related: [{ span: at(input, 'name'), message: 'The input is declared here.' }],
        },
      )
    }
  },
} satisfies Rule
