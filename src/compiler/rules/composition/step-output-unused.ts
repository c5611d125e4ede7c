import { at, isWhole } from '../../shape/view.js'
import { isReading } from '../facts/effects.js'
import { readsInOrder, stepsRead } from '../facts/mappings.js'
import type { Rule } from '../rule.js'

export const stepOutputUnused = {
  code: 'SVC4012',
  slug: 'step-output-unused',
  severity: 'warning',
  source: 'D',
  section: '2.8',
  description: 'The output of a step that reads is used.',
  ofStep({ capability, step, capabilities }, report) {
    const child = step.capability === undefined ? undefined : capabilities.get(step.capability)
    const { composition } = capability
    if (child === undefined || !isReading(child) || step.id === undefined || step.empty_result_source === true) return
    if (
      !isWhole(composition!) ||
      Object.keys(composition!.output_mapping ?? {}).length === 0 ||
      !readsInOrder(capability)
    )
      return
    const { id } = step
    const { steps, others } = stepsRead(capability)
    if (steps.has(id) || others.some((text) => text.includes(id))) return
    report(at(step, 'id'), `The output of the step \`${id}\` is never used.`)
  },
} satisfies Rule
