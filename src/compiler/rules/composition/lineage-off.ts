import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const lineageOff = {
  code: 'SVC4307',
  slug: 'lineage-off',
  severity: 'warning',
  source: 'D',
  section: '2.8',
  description: 'Steps carry the task of the parent.',
  why:
    'Otherwise an audit query by task or client reference misses them; the entries of steps name the invocation of ' +
    'the parent in any case, and the task that the token names.',
  needs: 'composition',
  ofCapability({ capability: { composition } }, report) {
    if (composition?.audit_policy?.parent_task_lineage === false)
      report(
        at(composition.audit_policy, 'parent_task_lineage'),
        '`parent_task_lineage: false`: an audit query by the task of a call misses its steps, unless the token names ' +
          'that task; parent_invocation_id always finds them.',
      )
  },
} satisfies Rule
