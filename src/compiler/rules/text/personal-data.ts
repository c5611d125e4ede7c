import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'

const PERSONAL = /[\w.+-]+@[\w-]+\.[\w.]+|\b(?:\d[ -]?){13,19}\b/u

export const personalData = {
  code: 'SVC5012',
  slug: 'personal-data',
  severity: 'info',
  source: 'L',
  section: '2.5',
  description: 'A default holds no personal data.',
  needs: 'default',
  ofInput({ input }, report) {
    if (typeof input.default === 'string' && PERSONAL.test(input.default))
      report(
        at(input, 'default'),
        'The default looks like personal data (an e-mail address or a card number); use an example such as ' +
          'jane@example.com only in documents.',
      )
  },
} satisfies Rule
