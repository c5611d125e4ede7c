import type { Rule } from './rule.js'

export const sha256IsHexadecimal = {
  code: 'SVC1010',
  slug: 'sha256-format',
  severity: 'error',
  source: 'S',
  section: '2.3',
  law: '`sha256` is 64 lower-case hexadecimal characters.',
} satisfies Rule
