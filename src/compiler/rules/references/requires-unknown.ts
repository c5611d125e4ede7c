import { referencesOf, tellUnknown } from '../facts/references.js'
import type { Rule } from '../rule.js'

export const requiresUnknown = {
  code: 'SVC3001',
  slug: 'requires-unknown',
  severity: 'error',
  source: 'D',
  section: '2.4',
  law: 'A prerequisite is a capability of this manifest.',
  needs: 'requires',
  ofCapability(facts, tell) {
    for (const reference of referencesOf(facts.capability))
      if (reference.field === 'requires') tellUnknown(facts, reference, tell)
  },
} satisfies Rule
