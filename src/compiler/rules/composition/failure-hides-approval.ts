import { at } from '../../shape/view.js'
import { childOf } from '../facts/mappings.js'
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
    const { composition } = facts.capability
    const policy: unknown = composition?.failure_policy
    const word =
      typeof policy === 'string'
        ? policy
        : (policy as { readonly child_approval_required?: string } | undefined)?.child_approval_required
    if (word !== 'fail_parent') return
    const step = [...(composition?.steps ?? [])].find((each) => childOf(facts, each)?.approval !== undefined)
    if (step === undefined) return
    const span =
      typeof policy === 'string'
        ? at(composition!, 'failure_policy')
        : at(policy as Parameters<typeof at>[0], 'child_approval_required')
    report(
      span,
      `\`${step.capability}\` can need an approval, but \`fail_parent\` hides the request id from the caller.`,
      { related: [{ span: at(step, 'capability'), message: 'The step is here.' }] },
    )
  },
} satisfies Rule
