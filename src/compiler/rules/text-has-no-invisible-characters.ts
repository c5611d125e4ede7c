import type { Rule } from './rule.js'

export const textHasNoInvisibleCharacters = {
  code: 'SVC5102',
  slug: 'invisible-character',
  severity: 'warning',
  source: 'D',
  section: '2.4',
  law: 'Text has no invisible characters.',
} satisfies Rule
