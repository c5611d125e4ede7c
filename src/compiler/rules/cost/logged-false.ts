import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const loggedFalse = {
  code: 'SVC2705',
  slug: 'logged-false',
  severity: 'error',
  source: 'D',
  section: '2.4,6',
  description: '`logged` is not false.',
  why: 'Every invocation leaves an audit entry.',
  needs: 'observability',
  ofCapability({ capability: { observability } }, report) {
    if (observability?.logged !== false) return
    report(
      at(observability, 'logged'),
      'Every invocation leaves an audit entry, so `logged: false` cannot be honoured; remove it.',
    )
  },
} satisfies Rule
