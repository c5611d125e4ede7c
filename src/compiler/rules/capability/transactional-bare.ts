import { at, isAbsent } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const transactionalBare = {
  code: 'SVC2109',
  slug: 'transactional-bare',
  severity: 'warning',
  source: 'L',
  section: '2.4',
  description: 'A transactional capability has a rollback window or a compensation.',
  ofCapability({ capability: { side_effect } }, report) {
    if (
      side_effect?.type !== 'transactional' ||
      !isAbsent(side_effect, 'rollback_window') ||
      !isAbsent(side_effect, 'compensation')
    )
      return
    report(at(side_effect, 'type'), '`transactional` has neither `rollback_window` nor `compensation`; is it `write`?')
  },
} satisfies Rule
