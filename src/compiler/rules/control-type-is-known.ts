import type { Rule } from './rule.js'

export const controlTypeIsKnown = {
  code: 'SVC2601',
  slug: 'control-type',
  severity: 'error',
  source: 'S',
  section: '2.4',
  law: 'A control requirement is cost_ceiling or stronger_delegation_required.',
} satisfies Rule
