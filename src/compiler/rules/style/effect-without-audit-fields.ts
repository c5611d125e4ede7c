import { at, isAbsent } from '../../shape/view.js'
import { changesSomething, isComposed } from '../facts/effects.js'
import type { Rule } from '../rule.js'

export const effectWithoutAuditFields = {
  code: 'SVC6004',
  slug: 'effect-without-audit-fields',
  severity: 'warning',
  source: 'L',
  section: '2.4,6',
  description: 'A capability that changes something logs the inputs that matter.',
  role: { isGrouped: true },
  ofCapability({ capability }, report) {
    if (
      !changesSomething(capability) ||
      isComposed(capability) ||
      capability.inputs === undefined ||
      capability.inputs.length === 0
    )
      return
    const { observability } = capability
    if (
      observability === undefined ? !isAbsent(capability, 'observability') : !isAbsent(observability, 'fields_logged')
    )
      return
    report(
      at(capability.side_effect!, 'type'),
      `\`${capability.side_effect!.type}\` without \`observability.fields_logged\`: the audit trail will not say ` +
        'on what.',
    )
  },
} satisfies Rule
