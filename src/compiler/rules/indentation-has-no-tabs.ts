import type { Rule } from './rule.js'

export const indentationHasNoTabs = {
  code: 'SVC0102',
  slug: 'yaml-tab',
  severity: 'error',
  source: 'Y',
  law: 'Indentation is made of spaces.',
  why: 'YAML forbids tabs there, because editors show them at different widths.',
} satisfies Rule
