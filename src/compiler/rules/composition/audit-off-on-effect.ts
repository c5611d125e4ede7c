import { at } from '../../shape/view.js'
import { changesSomething } from '../facts/effects.js'
import { childOf } from '../facts/mappings.js'
import type { Rule } from '../rule.js'

export const auditOffOnEffect = {
  code: 'SVC4306',
  slug: 'audit-off-on-effect',
  severity: 'warning',
  source: 'D',
  section: '2.8,6',
  description: 'A composition with a step that changes something records its steps.',
  why:
    'What changes something is recorded before it runs, so these steps leave their entries all the same, and only ' +
    'those that read leave none.',
  needs: 'composition',
  ofCapability(facts, report) {
    const { composition } = facts.capability
    if (composition?.audit_policy?.record_child_invocations !== false) return
    const step = [...(composition.steps ?? [])].find((each) => {
      const child = childOf(facts, each)
      return child !== undefined && changesSomething(child)
    })
    if (step !== undefined)
      report(
        at(composition.audit_policy, 'record_child_invocations'),
        `\`${step.capability}\` changes something, so its entry is kept all the same; ` +
          '`record_child_invocations: false` drops only those of steps that read. Write true.',
      )
  },
} satisfies Rule
