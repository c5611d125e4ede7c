import { at, isWhole } from '../../shape/view.js'
import { inputsOf } from '../facts/names.js'
import { literalNames } from '../facts/literals.js'
import { mustBeSupplied } from '../facts/defaults.js'
import { childOf } from '../facts/mappings.js'
import type { Rule } from '../rule.js'
import { OTHER_CAPABILITY } from '../why-not.js'

export const parentBindingMissing = {
  code: 'SVC4408',
  slug: 'parent-binding-missing',
  severity: 'error',
  source: 'D',
  section: '2.4,2.8',
  description: 'The binding of a step is mapped.',
  whyNot: OTHER_CAPABILITY,
  ofStep(facts, report) {
    const { capability, step } = facts
    const mapping = step.id === undefined ? undefined : capability.composition?.input_mapping?.[step.id]
    if (capability.composition?.input_mapping === undefined || (mapping !== undefined && !isWhole(mapping))) return
    const literals = step.id === undefined ? new Set<string>() : literalNames(capability, step.id)
    for (const { field, type } of childOf(facts, step)?.requires_binding ?? []) {
      const input = field === undefined ? undefined : inputsOf(childOf(facts, step)!)?.get(field)
      if (
        field === undefined ||
        input === undefined ||
        mapping?.[field] !== undefined ||
        literals?.has(field) !== false ||
        mustBeSupplied(input)
      )
        continue
      report(
        at(step, 'capability'),
        `The step \`${step.capability}\` needs the binding \`${field}\` (${type}), and no mapping supplies it.`,
      )
    }
  },
} satisfies Rule
