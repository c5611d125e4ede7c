import { keyOf } from '../../shape/view.js'
import { isReading } from '../facts/effects.js'
import type { Rule } from '../rule.js'

export const verifyOnRead = {
  code: 'SVC3014',
  slug: 'verify-on-read',
  severity: 'warning',
  source: 'D',
  section: '2.4',
  description: 'A capability that reads has no `verify_via`.',
  why: 'It has no side effect to verify.',
  needs: 'verify_via',
  ofCapability({ capability }, report) {
    if (isReading(capability))
      report(keyOf(capability, 'verify_via'), 'A `read` has no side effect to verify; remove `verify_via`.')
  },
} satisfies Rule
