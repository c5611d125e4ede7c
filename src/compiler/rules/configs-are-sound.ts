import type { Rule } from './rule.js'

export const configsAreSound = {
  code: 'SVC0004',
  slug: 'bad-config',
  severity: 'error',
  source: 'Y',
  law: 'A configuration file holds known keys with values that fit.',
  why: 'What is misspelt would silently not apply.',
} satisfies Rule
