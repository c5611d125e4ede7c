import { itemAt } from '../../shape/view.js'
import { stepsOf } from '../facts/names.js'
import { childOf } from '../facts/mappings.js'
import type { Rule } from '../rule.js'

export const parentStreamingUnaryChild = {
  code: 'SVC4409',
  slug: 'parent-streaming-unary-child',
  severity: 'info',
  source: 'L',
  section: '2.4,2.8',
  description: 'A composition that streams has a step that streams.',
  needs: 'response_modes',
  ofCapability(facts, report) {
    const modes = facts.capability.response_modes
    const steps = stepsOf(facts.capability)
    if (modes?.includes('streaming') !== true || steps === undefined) return
    if (
      [...steps.values()].every(
        (step) =>
          childOf(facts, step)?.response_modes?.includes('streaming') === false ||
          childOf(facts, step)?.response_modes === undefined,
      )
    )
      report(itemAt(modes, modes.indexOf('streaming')), 'The parent streams, but no step does.')
  },
} satisfies Rule
