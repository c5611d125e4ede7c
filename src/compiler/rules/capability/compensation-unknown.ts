import { referencesOf, tellUnknown } from '../facts/references.js'
import type { Rule } from '../rule.js'

export const compensationUnknown = {
  code: 'SVC2104',
  slug: 'compensation-unknown',
  severity: 'error',
  source: 'D',
  section: '2.4',
  law: '`compensation` names a capability of this manifest.',
  ofCapability(facts, tell) {
    for (const reference of referencesOf(facts.capability))
      if (reference.field === 'compensation') tellUnknown(facts, reference, tell)
  },
} satisfies Rule
