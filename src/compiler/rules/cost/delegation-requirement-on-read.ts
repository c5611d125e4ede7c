import { at } from '../../shape/view.js'
import { isReading } from '../facts/effects.js'
import type { Rule } from '../rule.js'

export const delegationRequirementOnRead = {
  code: 'SVC2616',
  slug: 'delegation-requirement-on-read',
  severity: 'info',
  source: 'L',
  section: '2.4',
  description: 'A capability that reads rarely requires stronger delegation.',
  needs: 'control_requirements',
  ofCapability({ capability }, report) {
    const control = capability.control_requirements?.find(({ type }) => type === 'stronger_delegation_required')
    if (control !== undefined && isReading(capability))
      report(at(control, 'type'), '`stronger_delegation_required` on a read is unusual.')
  },
} satisfies Rule
