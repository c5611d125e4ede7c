import { keyOf } from '../../shape/view.js'
import { isReading } from '../facts/effects.js'
import type { Rule } from '../rule.js'

export const readWithApproval = {
  code: 'SVC6008',
  slug: 'read-with-approval',
  severity: 'warning',
  source: 'L',
  section: '1.4',
  law: 'A capability that reads needs no approval.',
  needs: 'approval',
  ofCapability({ capability }, tell) {
    if (isReading(capability) && capability.approval !== undefined)
      tell(keyOf(capability, 'approval'), 'A `read` declares an approval; is it more than a read?')
  },
} satisfies Rule
