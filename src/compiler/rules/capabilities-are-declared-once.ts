import type { Rule } from './rule.js'

export const capabilitiesAreDeclaredOnce = {
  code: 'SVC1005',
  slug: 'capability-name-duplicate',
  severity: 'error',
  source: 'S',
  section: '2.3',
  law: 'A capability is declared once, in whichever file.',
} satisfies Rule
