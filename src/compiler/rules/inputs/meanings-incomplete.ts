import { itemAt } from '../../shape/view.js'
import { shownValue } from '../facts/values.js'
import { meaningsOf } from '../facts/meanings.js'
import type { Rule } from '../rule.js'

export const meaningsIncomplete = {
  code: 'SVC2313',
  slug: 'meanings-incomplete',
  severity: 'info',
  source: 'L',
  section: '2.5',
  description: '`input_meanings` explains every allowed value.',
  needs: 'input_meanings',
  ofInput({ input }, report) {
    const { allowed_values, input_meanings: meanings } = input
    if (allowed_values === undefined || meanings === undefined) return
    const explained = new Set(meaningsOf(meanings).map(({ value }) => String(value)))
    for (const [index, value] of allowed_values.entries())
      if (!explained.has(String(value)))
        report(itemAt(allowed_values, index), `${shownValue(value)} has no entry in \`input_meanings\`.`)
  },
} satisfies Rule
