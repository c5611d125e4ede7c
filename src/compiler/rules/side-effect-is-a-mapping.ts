import type { Rule } from './rule.js'

export const sideEffectIsAMapping = {
  code: 'SVC2009',
  slug: 'side-effect-scalar',
  severity: 'error',
  source: 'D',
  section: '2.4',
  law: '`side_effect` is a mapping with `type`.',
} satisfies Rule
