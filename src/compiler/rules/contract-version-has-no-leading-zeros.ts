import type { Rule } from './rule.js'

export const contractVersionHasNoLeadingZeros = {
  code: 'SVC1306',
  slug: 'contract-version-leading-zero',
  severity: 'error',
  source: 'D',
  section: '9.2',
  law: '`contract_version` has no leading zeros.',
} satisfies Rule
