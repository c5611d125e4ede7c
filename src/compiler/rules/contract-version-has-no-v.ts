import type { Rule } from './rule.js'

export const contractVersionHasNoV = {
  code: 'SVC1305',
  slug: 'contract-version-v-prefix',
  severity: 'error',
  source: 'D',
  section: '9.2',
  law: '`contract_version` has no `v` before it.',
} satisfies Rule
