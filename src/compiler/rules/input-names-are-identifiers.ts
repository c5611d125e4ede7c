import type { Rule } from './rule.js'

export const inputNamesAreIdentifiers = {
  code: 'SVC2003',
  slug: 'input-name-syntax',
  severity: 'error',
  source: 'D',
  section: '2.5',
  law: 'An input name is an identifier.',
  why: 'It becomes a property of generated code.',
} satisfies Rule
