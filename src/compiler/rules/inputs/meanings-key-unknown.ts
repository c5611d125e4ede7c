import { hasAllItems } from '../../shape/view.js'
import { meant, nearest, question } from '../../nearest.js'
import { shownValue } from '../facts/values.js'
import { meaningsOf } from '../facts/meanings.js'
import type { Rule } from '../rule.js'

export const meaningsKeyUnknown = {
  code: 'SVC2312',
  slug: 'meanings-key-unknown',
  severity: 'warning',
  source: 'D',
  section: '2.5',
  description: '`input_meanings` explains only allowed values.',
  needs: 'input_meanings',
  ofInput({ input }, report) {
    const { allowed_values, input_meanings: meanings } = input
    if (allowed_values === undefined || meanings === undefined || !hasAllItems(allowed_values)) return
    const words = allowed_values.map(String)
    for (const { value, span } of meaningsOf(meanings)) {
      if (words.includes(String(value))) continue
      const near = nearest(String(value), words)
      report(
        span,
        `\`input_meanings\` explains ${shownValue(value)}, which is not among \`allowed_values\`.${question(near)}`,
        meant(near),
      )
    }
  },
} satisfies Rule
