import { keyOf } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const explicitOnlyDefault = {
  code: 'SVC2410',
  slug: 'explicit-only-default',
  severity: 'warning',
  source: 'D',
  section: '2.6',
  description: '`explicit_only` has no default.',
  why: 'The caller must supply the value.',
  needs: 'resolution',
  ofInput({ input }, report) {
    if (input.resolution?.mode !== 'explicit_only' || input.default === undefined) return
    report(
      keyOf(input, 'default'),
      'The mode is `explicit_only`: the caller must supply the value, so a default never applies.',
    )
  },
} satisfies Rule
