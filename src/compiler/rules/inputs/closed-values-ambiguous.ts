import { keyOf } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const closedValuesAmbiguous = {
  code: 'SVC2416',
  slug: 'closed-values-ambiguous',
  severity: 'info',
  source: 'L',
  section: '2.6',
  description: 'A closed set is not ambiguous.',
  needs: 'resolution',
  ofInput({ input: { resolution } }, report) {
    if (
      resolution?.mode !== 'closed_values' ||
      resolution.on_ambiguous === undefined ||
      ['use_actor_scope', 'app_select_or_clarify'].includes(resolution.on_ambiguous)
    )
      return
    report(
      keyOf(resolution, 'on_ambiguous'),
      'A closed set cannot be ambiguous, so `on_ambiguous` has no effect; remove it.',
    )
  },
} satisfies Rule
