import { referencesOf, reportUnknown } from '../facts/references.js'
import type { Rule } from '../rule.js'
import { OTHER_CAPABILITY } from '../why-not.js'

export const requiresUnknown = {
  code: 'SVC3001',
  slug: 'requires-unknown',
  severity: 'error',
  source: 'D',
  section: '2.4',
  description: 'A prerequisite is a capability of this manifest.',
  whyNot: OTHER_CAPABILITY,
  needs: 'requires',
  ofCapability(facts, report) {
    for (const reference of referencesOf(facts.capability))
      if (reference.field === 'requires') reportUnknown(facts, reference, report)
  },
} satisfies Rule
