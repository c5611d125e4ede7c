import type { Rule } from './rule.js'

export const referencesAreNotInterpolated = {
  code: 'SVC5008',
  slug: 'secret-env-interpolation',
  severity: 'warning',
  source: 'D',
  section: '2.6 r3',
  law: 'A reference is not interpolated from the environment.',
} satisfies Rule
