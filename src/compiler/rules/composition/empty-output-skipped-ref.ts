import { at } from '../../shape/view.js'
import { stepsOf } from '../facts/names.js'
import { emptyOutputOf, sourceOf } from '../facts/mappings.js'
import type { Rule } from '../rule.js'
import { DECLARED_NAMES } from '../why-not.js'

export const emptyOutputSkippedRef = {
  code: 'SVC4209',
  slug: 'empty-output-skipped-ref',
  severity: 'error',
  source: 'A',
  section: '2.8',
  description: '`empty_result_output` reads no step that is skipped when the source is empty.',
  whyNot: DECLARED_NAMES,
  needs: 'composition',
  ofCapability({ capability }, report) {
    const output = emptyOutputOf(capability)
    const steps = stepsOf(capability)
    if (output === undefined || steps === undefined) return
    const order = [...steps.values()]
    const source = order.findIndex((step) => step.empty_result_source === true)
    for (const [target, value] of Object.entries(output)) {
      const read = sourceOf(value)
      const index = read?.kind === 'step' ? order.findIndex((step) => step.id === read.step) : -1
      if (source !== -1 && index > source)
        report(
          at(output, target),
          `\`empty_result_output\` reads the step \`${order[index]!.id}\`, which is skipped when ` +
            `\`${order[source]!.id}\` is empty.`,
        )
    }
  },
} satisfies Rule
