import { listed, reportUnknown } from '../facts/references.js'
import type { Rule } from '../rule.js'
import { OTHER_CAPABILITY } from '../why-not.js'

export const verifyUnknown = {
  code: 'SVC3011',
  slug: 'verify-unknown',
  severity: 'error',
  source: 'S',
  section: '2.4',
  description: '`verify_via` names capabilities of this manifest.',
  whyNot: OTHER_CAPABILITY,
  needs: 'verify_via',
  ofCapability(facts, report) {
    for (const reference of listed('verify_via', facts.capability.verify_via)) reportUnknown(facts, reference, report)
  },
} satisfies Rule
