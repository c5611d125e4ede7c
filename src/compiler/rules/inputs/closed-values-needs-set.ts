import { at, isAbsent } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { has, says, when } from '../schema-part.js'

export const closedValuesNeedsSet = {
  code: 'SVC2403',
  slug: 'closed-values-needs-set',
  severity: 'error',
  source: 'S',
  section: '2.6 r1',
  description: '`closed_values` requires `allowed_values`.',
  schema: { input: when(says({ resolution: says({ mode: 'closed_values' }) }), has('allowed_values')) },
  needs: 'resolution',
  ofInput({ input }, report) {
    if (input.resolution?.mode !== 'closed_values' || !isAbsent(input, 'allowed_values')) return
    report(
      at(input.resolution, 'mode'),
      `The input \`${input.name}\` takes closed values, but has no \`allowed_values\`.`,
    )
  },
} satisfies Rule
