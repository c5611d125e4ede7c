import { listed, reportUnknown } from '../facts/references.js'
import type { Rule } from '../rule.js'
import { OTHER_CAPABILITY } from '../why-not.js'

export const refreshUnknown = {
  code: 'SVC3007',
  slug: 'refresh-unknown',
  severity: 'error',
  source: 'S',
  section: '2.4',
  description: '`refresh_via` names capabilities of this manifest.',
  whyNot: OTHER_CAPABILITY,
  needs: 'refresh_via',
  ofCapability(facts, report) {
    for (const reference of listed('refresh_via', facts.capability.refresh_via)) reportUnknown(facts, reference, report)
  },
} satisfies Rule
