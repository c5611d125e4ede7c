import { keyOf } from '../../shape/view.js'
import type { Rule } from '../rule.js'

const LOOKING = new Set(['closed_values', 'app_selected'])

export const allowedValuesUnenforced = {
  code: 'SVC2314',
  slug: 'allowed-values-unenforced',
  severity: 'warning',
  source: 'D',
  section: '2.5,2.6',
  description: '`allowed_values` stands with a mode that looks at them.',
  needs: 'resolution',
  ofInput({ input }, report) {
    const mode = input.resolution?.mode
    if (input.allowed_values === undefined || mode === undefined || LOOKING.has(mode)) return
    report(
      keyOf(input, 'allowed_values'),
      `\`allowed_values\` does not bound the mode \`${mode}\`; use \`closed_values\` or \`app_selected\`, or ` +
        'remove the values.',
    )
  },
} satisfies Rule
