import { keyOf } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { has, members, when } from '../schema-part.js'

export const rollbackNeedsTransactional = {
  code: 'SVC2101',
  slug: 'rollback-needs-transactional',
  severity: 'error',
  source: 'S',
  section: '2.4',
  description: '`rollback_window` stands only with a transactional side effect.',
  schema: { 'side effect': when(has('rollback_window'), members({ type: { const: 'transactional' } })) },
  ofCapability({ capability: { side_effect } }, report) {
    if (
      side_effect?.rollback_window === undefined ||
      side_effect.type === undefined ||
      side_effect.type === 'transactional'
    )
      return
    report(
      keyOf(side_effect, 'rollback_window'),
      `\`rollback_window\` applies to \`transactional\`, not to \`${side_effect.type}\`; remove it, or change ` +
        'the type.',
    )
  },
} satisfies Rule
