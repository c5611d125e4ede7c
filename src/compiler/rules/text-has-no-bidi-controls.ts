import type { Rule } from './rule.js'

export const textHasNoBidiControls = {
  code: 'SVC5101',
  slug: 'bidi-control',
  severity: 'error',
  source: 'D',
  section: '2.4',
  law: 'Text has no bidirectional control characters.',
  why: 'They make text read differently from what it says.',
} satisfies Rule
