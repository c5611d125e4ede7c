import { at } from '../../shape/view.js'
import { isReading } from '../facts/effects.js'
import type { Rule } from '../rule.js'

export const delegationRequirementOnRead = {
  code: 'SVC2616',
  slug: 'delegation-requirement-on-read',
  severity: 'info',
  source: 'L',
  section: '2.4',
  law: 'A capability that reads rarely requires stronger delegation.',
  needs: 'control_requirements',
  ofCapability({ capability }, tell) {
    const control = capability.control_requirements?.find(({ type }) => type === 'stronger_delegation_required')
    if (control !== undefined && isReading(capability))
      tell(at(control, 'type'), '`stronger_delegation_required` on a read is unusual.')
  },
} satisfies Rule
