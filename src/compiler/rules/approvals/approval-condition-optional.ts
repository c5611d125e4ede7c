import { at, isAbsent } from '../../shape/view.js'
import { conditionsOf } from '../facts/conditions.js'
import type { Rule } from '../rule.js'

export const approvalConditionOptional = {
  code: 'SVC7016',
  slug: 'approval-condition-optional',
  severity: 'warning',
  source: 'D',
  section: '2.12',
  description: 'A condition for an approval compares an input that is always there.',
  why: 'A call without the value needs the approval, whatever the condition says.',
  needs: 'approval',
  ofCapability({ capability }, report) {
    for (const [condition, input] of conditionsOf(capability)) {
      if (input.required !== false || !isAbsent(input, 'default')) continue
      report(
        at(condition, 'input'),
        `\`${input.name}\` is optional: a call without it needs the approval. Make it required, or give it a default.`,
        { related: [{ span: at(input, 'required'), message: 'It is optional here.' }] },
      )
    }
  },
} satisfies Rule
