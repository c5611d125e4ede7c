import { keyOf } from '../../shape/view.js'
import { childOf } from '../facts/mappings.js'
import { failsParentAt } from '../facts/policies.js'
import type { Rule, StepView } from '../rule.js'

export const failureHidesClarification = {
  code: 'SVC4304',
  slug: 'failure-hides-clarification',
  severity: 'info',
  source: 'L',
  section: '2.8',
  description: 'The question of a child reaches the caller.',
  needs: 'composition',
  ofCapability(facts, report) {
    const { composition } = facts.capability
    if (failsParentAt(facts.capability, 'child_clarification') === undefined) return
    const clarifies = (step: StepView) =>
      [...(childOf(facts, step)?.inputs ?? [])].some(({ resolution }) =>
        JSON.stringify(resolution ?? '').includes('clarify'),
      )
    const step = composition?.steps?.find(clarifies)
    if (step !== undefined)
      report(
        keyOf(composition!, 'failure_policy'),
        `\`${step.capability}\` can ask for clarification, but its question becomes an error of the parent.`,
      )
  },
} satisfies Rule
