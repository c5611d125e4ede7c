import { at } from '../../shape/view.js'
import { replace } from '../../finding.js'
import type { Rule } from '../rule.js'

export const actorPolicyRequired = {
  code: 'SVC2411',
  slug: 'actor-policy-required',
  severity: 'warning',
  source: 'D',
  section: '2.6',
  description: 'An input that the actor policy derives is not required of the caller.',
  needs: 'resolution',
  ofInput({ input }, report) {
    if (input.resolution?.mode !== 'actor_policy' || input.required !== true) return
    report(
      at(input, 'required'),
      '`actor_policy` derives the value, and refuses one from the caller; write `required: false`.',
      { fix: replace(at(input, 'required'), 'false') },
    )
  },
} satisfies Rule
