import { keyOf } from '../../shape/view.js'
import { isReading } from '../facts/effects.js'
import type { Rule } from '../rule.js'

export const readWithApproval = {
  code: 'SVC6008',
  slug: 'read-with-approval',
  severity: 'warning',
  source: 'L',
  section: '1.4',
  description: 'A capability that reads needs no approval.',
  needs: 'approval',
  ofCapability({ capability }, report) {
    if (isReading(capability))
      report(keyOf(capability, 'approval'), 'A `read` declares an approval; is it more than a read?')
  },
} satisfies Rule
