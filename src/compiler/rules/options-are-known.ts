import type { Rule } from './rule.js'

export const optionsAreKnown = {
  code: 'SVC0003',
  slug: 'unknown-option',
  severity: 'error',
  source: 'Y',
  law: 'Every option on the command line is one that the command knows.',
  why: 'A misspelt option would silently not apply.',
} satisfies Rule
