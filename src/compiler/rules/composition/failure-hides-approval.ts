import { at } from '../../shape/view.js'
import { childOf } from '../facts/mappings.js'
import { failsParentAt } from '../facts/policies.js'
import type { Rule } from '../rule.js'

export const failureHidesApproval = {
  code: 'SVC4303',
  slug: 'failure-hides-approval',
  severity: 'warning',
  source: 'D',
  section: '2.8,3',
  description: 'The need of a child for approval reaches the caller.',
  needs: 'composition',
  ofCapability(facts, report) {
    const span = failsParentAt(facts.capability, 'child_approval_required')
    if (span === undefined) return
    const step = facts.capability.composition?.steps?.find((each) => childOf(facts, each)?.approval !== undefined)
    if (step === undefined) return
    report(
      span,
      `\`${step.capability}\` can need an approval, but \`fail_parent\` hides the request id from the caller.`,
      { related: [{ span: at(step, 'capability'), message: 'The step is here.' }] },
    )
  },
} satisfies Rule
