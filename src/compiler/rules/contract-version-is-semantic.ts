import type { Rule } from './rule.js'

export const contractVersionIsSemantic = {
  code: 'SVC1304',
  slug: 'contract-version-format',
  severity: 'error',
  source: 'S',
  section: '2.4,9.2',
  law: '`contract_version` is a semantic version (2.0.0 of that document).',
} satisfies Rule
