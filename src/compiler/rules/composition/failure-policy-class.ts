import { type at, keyOf, isAbsent } from '../../shape/view.js'
import { CHILD_OUTCOMES } from '../../../protocol/words.js'
import type { Rule } from '../rule.js'

export const failurePolicyClass = {
  code: 'SVC4301',
  slug: 'failure-policy-class',
  severity: 'info',
  source: 'L',
  section: '2.8',
  description: 'A failure policy names all four outcomes.',
  why: 'Those left out take their defaults.',
  needs: 'composition',
  ofCapability({ capability: { composition } }, report) {
    const policy: unknown = composition?.failure_policy
    if (typeof policy !== 'object') return
    const part = policy as Parameters<typeof at>[0]
    const lacking = CHILD_OUTCOMES.filter((outcome) => isAbsent(part, outcome))
    if (lacking.length > 0)
      report(
        keyOf(composition!, 'failure_policy'),
        `\`failure_policy\` leaves ${lacking.map((each) => `\`${each}\``).join(', ')} to the default; say what ` +
          'happens.',
      )
  },
} satisfies Rule
