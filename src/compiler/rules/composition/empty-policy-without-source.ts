import { keyOf, isAbsent, hasAllItems } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const emptyPolicyWithoutSource = {
  code: 'SVC4206',
  slug: 'empty-policy-without-source',
  severity: 'warning',
  source: 'D',
  section: '2.8',
  description: 'An `empty_result_policy` has a source that triggers it.',
  needs: 'composition',
  ofCapability({ capability: { composition } }, report) {
    const steps = composition?.steps
    if (composition?.empty_result_policy === undefined || steps === undefined || !hasAllItems(steps)) return
    if (steps.every((step) => isAbsent(step, 'empty_result_source') || step.empty_result_source === false))
      report(
        keyOf(composition, 'empty_result_policy'),
        '`empty_result_policy` is never triggered: no step is an empty-result source.',
      )
  },
} satisfies Rule
