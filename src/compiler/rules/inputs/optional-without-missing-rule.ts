import { at, isAbsent } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const optionalWithoutMissingRule = {
  code: 'SVC2307',
  slug: 'optional-without-missing-rule',
  severity: 'info',
  source: 'L',
  section: '2.6',
  description: 'An optional input has a default or says what happens when it is missing.',
  ofInput({ input }, report) {
    if (input.required !== false || !isAbsent(input, 'default')) return
    if (input.resolution === undefined ? !isAbsent(input, 'resolution') : !isAbsent(input.resolution, 'on_missing'))
      return
    report(
      at(input, 'required'),
      `The optional input \`${input.name}\` has neither a default nor \`on_missing\`; say what happens when it ` +
        'is absent.',
    )
  },
} satisfies Rule
