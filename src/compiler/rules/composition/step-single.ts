import { keyOf, hasAllItems } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const stepSingle = {
  code: 'SVC4010',
  slug: 'step-single',
  severity: 'info',
  source: 'L',
  section: '2.8',
  law: 'A composition has more than one step.',
  needs: 'composition',
  ofCapability({ capability: { composition } }, tell) {
    const steps = composition?.steps
    if (steps?.length === 1 && hasAllItems(steps))
      tell(keyOf(composition!, 'steps'), 'There is one step only; is an atomic capability enough?')
  },
} satisfies Rule
