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
  whyNot:
    'The interface document lets `logged` be true or false [2.4], and so does its schema; the audit trail is kept all the same.',
  needs: 'observability',
  ofCapability({ capability: { observability } }, report) {
    if (observability?.logged !== false) return
    report(
      at(observability, 'logged'),
      'Every invocation leaves an audit entry, so `logged: false` cannot be honoured; remove it.',
    )
  },
} satisfies Rule
