import type { Rule } from './rule.js'

export const stepIdsAreIdentifiers = {
  code: 'SVC4006',
  slug: 'step-id-syntax',
  severity: 'error',
  source: 'A',
  section: '2.8',
  law: 'A step id is an identifier.',
  why: 'It appears in paths: $.steps.<id>.',
} satisfies Rule
