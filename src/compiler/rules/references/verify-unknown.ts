import { listed, tellUnknown } from '../facts/references.js'
import type { Rule } from '../rule.js'

export const verifyUnknown = {
  code: 'SVC3011',
  slug: 'verify-unknown',
  severity: 'error',
  source: 'S',
  section: '2.4',
  law: '`verify_via` names capabilities of this manifest.',
  needs: 'verify_via',
  ofCapability(facts, tell) {
    for (const reference of listed('verify_via', facts.capability.verify_via)) tellUnknown(facts, reference, tell)
  },
} satisfies Rule
