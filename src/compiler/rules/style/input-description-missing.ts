import { at, isAbsent } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const inputDescriptionMissing = {
  code: 'SVC6105',
  slug: 'input-description-missing',
  severity: 'info',
  source: 'L',
  section: '2.5',
  description: 'An input has a description.',
  ofInput({ input }, report) {
    if (isAbsent(input, 'description')) report(at(input, 'name'), `The input \`${input.name}\` has no description.`)
  },
} satisfies Rule
