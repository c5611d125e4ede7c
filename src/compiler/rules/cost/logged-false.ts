import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const loggedFalse = {
  code: 'SVC2705',
  slug: 'logged-false',
  severity: 'warning',
  source: 'D',
  section: '2.4,6',
  description: '`logged` is not false.',
  why: 'Every invocation leaves an audit entry; false keeps the values of its inputs out of it.',
  needs: 'observability',
  ofCapability({ capability: { observability } }, report) {
    if (observability?.logged !== false) return
    report(
      at(observability, 'logged'),
      'With `logged: false` the trail keeps no values of inputs. It still has an entry of every call: the caller, the ' +
        'token, the outcome, the cost and the time.',
    )
  },
} satisfies Rule
