import { kindOfReference, referencesOf } from '../facts/references.js'
import type { Rule } from '../rule.js'
import { OTHER_CAPABILITY } from '../why-not.js'

export const refInOtherService = {
  code: 'SVC3017',
  slug: 'ref-in-other-service',
  severity: 'error',
  source: 'D',
  section: '2.4,2.9',
  description: 'A reference names a capability of this service.',
  why: 'Other services are named in `cross_service`.',
  whyNot: OTHER_CAPABILITY,
  ofCapability(facts, report) {
    for (const { name, span, field } of referencesOf(facts.capability)) {
      if (kindOfReference(facts, name) !== 'other-service') continue
      const home = ['refresh_via', 'verify_via'].includes(field) ? `cross_service.${field}` : 'cross_service'
      report(span, `\`${name}\` looks like a capability of another service; use \`${home}\`.`)
    }
  },
} satisfies Rule
