import { at } from '../../shape/view.js'
import { durationMs } from '../../../protocol/durations.js'
import type { Rule } from '../rule.js'
import { members, none } from '../schema-part.js'

export const rollbackZero = {
  code: 'SVC2103',
  slug: 'rollback-zero',
  severity: 'error',
  source: 'D',
  section: '2.4',
  description: '`rollback_window` is longer than zero.',
  schema: { 'side effect': members({ rollback_window: none({ type: 'string', pattern: '^P[^1-9]*$' }) }) },
  ofCapability({ capability: { side_effect } }, report) {
    const window = side_effect?.rollback_window
    if (window === undefined || durationMs(window) !== 0) return
    report(at(side_effect!, 'rollback_window'), `\`rollback_window\` ${window} gives no time to roll back.`)
  },
} satisfies Rule
