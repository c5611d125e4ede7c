import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const rollbackCalendar = {
  code: 'SVC2110',
  slug: 'rollback-calendar',
  severity: 'info',
  source: 'L',
  section: '2.4',
  description: 'A rollback window is not counted in months or years.',
  why: 'Their length varies with the calendar.',
  ofCapability({ capability: { side_effect } }, report) {
    const window = side_effect?.rollback_window
    if (window === undefined || !/^P[^T]*[MY]/u.test(window)) return
    report(at(side_effect!, 'rollback_window'), `\`${window}\` varies with the calendar; use days.`)
  },
} satisfies Rule
