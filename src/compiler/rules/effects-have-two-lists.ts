import type { Rule } from './rule.js'

export const effectsHaveTwoLists = {
  code: 'SVC2613',
  slug: 'effects-shape',
  severity: 'error',
  source: 'A',
  section: '2.4',
  law: '`business_effects` has produces and does_not_produce.',
} satisfies Rule
