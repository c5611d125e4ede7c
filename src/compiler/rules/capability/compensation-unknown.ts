import { referencesOf, reportUnknown } from '../facts/references.js'
import type { Rule } from '../rule.js'
import { OTHER_CAPABILITY } from '../why-not.js'

export const compensationUnknown = {
  code: 'SVC2104',
  slug: 'compensation-unknown',
  severity: 'error',
  source: 'D',
  section: '2.4',
  description: '`compensation` names a capability of this manifest.',
  whyNot: OTHER_CAPABILITY,
  ofCapability(facts, report) {
    for (const reference of referencesOf(facts.capability))
      if (reference.field === 'compensation') reportUnknown(facts, reference, report)
  },
} satisfies Rule
