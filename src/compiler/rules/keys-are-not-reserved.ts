import type { Rule } from './rule.js'

export const keysAreNotReserved = {
  code: 'SVC0119',
  slug: 'yaml-proto-key',
  severity: 'error',
  source: 'Y',
  law: 'A key is not a property that every object has.',
} satisfies Rule
