import { keyOf, hasAllItems } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const stepSingle = {
  code: 'SVC4010',
  slug: 'step-single',
  severity: 'info',
  source: 'L',
  section: '2.8',
  description: 'A composition has more than one step.',
  needs: 'composition',
  ofCapability({ capability: { composition } }, report) {
    const steps = composition?.steps
    if (steps?.length === 1 && hasAllItems(steps))
      report(keyOf(composition!, 'steps'), 'There is one step only; is an atomic capability enough?')
  },
} satisfies Rule
