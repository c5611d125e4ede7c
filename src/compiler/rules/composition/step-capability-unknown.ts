import { referencesOf, reportUnknown } from '../facts/references.js'
import type { Rule } from '../rule.js'
import { OTHER_CAPABILITY } from '../why-not.js'

export const stepCapabilityUnknown = {
  code: 'SVC4007',
  slug: 'step-capability-unknown',
  severity: 'error',
  source: 'D',
  section: '2.8',
  description: 'A step invokes a capability of this manifest.',
  whyNot: OTHER_CAPABILITY,
  needs: 'composition',
  ofCapability(facts, report) {
    for (const reference of referencesOf(facts.capability))
      if (reference.field === 'steps') reportUnknown(facts, reference, report)
  },
} satisfies Rule
