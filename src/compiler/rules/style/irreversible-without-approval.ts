import { at, isAbsent } from '../../shape/view.js'
import { isIrreversible, lacksControl } from '../facts/effects.js'
import type { Rule } from '../rule.js'

export const irreversibleWithoutApproval = {
  code: 'SVC6001',
  slug: 'irreversible-without-approval',
  severity: 'warning',
  source: 'L',
  section: '1.4,3',
  description: 'An irreversible capability needs an approval, a stronger delegation or a principal class.',
  ofCapability({ capability }, report) {
    if (!isIrreversible(capability) || !isAbsent(capability, 'approval') || !isAbsent(capability, 'requires_principal'))
      return
    if (!lacksControl(capability, 'stronger_delegation_required')) return
    report(
      at(capability.side_effect!, 'type'),
      '`irreversible`, with neither `approval` nor `stronger_delegation_required` nor `requires_principal`; ' +
        'control it.',
    )
  },
} satisfies Rule
