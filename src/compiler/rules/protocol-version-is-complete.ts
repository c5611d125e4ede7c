import type { Rule } from './rule.js'

export const protocolVersionIsComplete = {
  code: 'SVC1301',
  slug: 'protocol-version-format',
  severity: 'error',
  source: 'S',
  section: '9.1',
  law: 'The protocol version is major.minor.patch.',
} satisfies Rule
