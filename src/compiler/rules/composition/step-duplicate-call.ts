import { at } from '../../shape/view.js'
import type { Rule, StepView } from '../rule.js'

export const stepDuplicateCall = {
  code: 'SVC4011',
  slug: 'step-duplicate-call',
  severity: 'info',
  source: 'L',
  section: '2.8',
  description: 'No two steps call the same capability with the same inputs.',
  needs: 'composition',
  ofCapability({ capability }, report) {
    const { steps = [], input_mapping, 'x-literals': literals } = capability.composition ?? {}
    const first = new Map<string, StepView>()
    for (const step of steps) {
      if (step.id === undefined || step.capability === undefined) continue
      const call = JSON.stringify([step.capability, input_mapping?.[step.id] ?? {}, literals?.[step.id] ?? {}])
      const earlier = first.get(call)
      if (earlier === undefined) first.set(call, step)
      else if (earlier.id !== step.id)
        report(
          at(step, 'capability'),
          `The steps \`${earlier.id}\` and \`${step.id}\` call \`${step.capability}\` with identical inputs.`,
          { related: [{ span: at(earlier, 'capability'), message: 'It is called here first.' }] },
        )
    }
  },
} satisfies Rule
