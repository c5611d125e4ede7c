import { at, isAbsent, isWhole } from '../../shape/view.js'
import { inputsOf } from '../facts/names.js'
import { pathsOf, unmappedInputs } from '../facts/mappings.js'
import type { Rule } from '../rule.js'

export const parentInputUnused = {
  code: 'SVC4116',
  slug: 'parent-input-unused',
  severity: 'warning',
  source: 'D',
  section: '2.8',
  description: 'Every input of a composition is used: by a mapping, a binding, or as `x-amount-input`.',
  needs: 'composition',
  ofCapability(facts, report) {
    const { capability } = facts
    const inputs = inputsOf(capability)
    const { composition, cost, requires_binding = [] } = capability
    if (
      inputs === undefined ||
      composition === undefined ||
      !isAbsent(capability, 'approval') ||
      (cost === undefined && !isAbsent(capability, 'cost')) ||
      !isWhole(composition) ||
      composition.input_mapping === undefined ||
      !isWhole(composition.input_mapping)
    )
      return
    const mappings = pathsOf(capability)
    if (mappings.some(({ source }) => source === undefined || (source.kind === 'input' && !inputs.has(source.input))))
      return
    if (composition.steps?.some((step) => unmappedInputs(facts, step).length > 0) !== false) return
    const used = new Set(mappings.flatMap(({ source }) => (source?.kind === 'input' ? [source.input] : [])))
    for (const { field } of requires_binding) if (field !== undefined) used.add(field)
    const limit = cost?.financial?.['x-amount-input']
    if (typeof limit === 'string') used.add(limit)
    for (const [name, input] of inputs)
      if (!used.has(name)) report(at(input, 'name'), `The input \`${name}\` is not used by any mapping.`)
  },
} satisfies Rule
