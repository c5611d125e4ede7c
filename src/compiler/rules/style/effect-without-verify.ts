import { at, isAbsent } from '../../shape/view.js'
import { changesSomething, isComposed } from '../facts/effects.js'
import type { Rule } from '../rule.js'

export const effectWithoutVerify = {
  code: 'SVC6003',
  slug: 'effect-without-verify',
  severity: 'warning',
  source: 'L',
  section: '2.4',
  description: 'A capability that changes something names one that verifies it.',
  role: { isGrouped: true },
  ofCapability({ capability }, report) {
    if (!changesSomething(capability) || !isAbsent(capability, 'verify_via') || isComposed(capability)) return
    const { cross_service: other } = capability
    if (other !== undefined && !isAbsent(other, 'verify_via')) return
    report(
      at(capability.side_effect!, 'type'),
      `\`${capability.side_effect!.type}\` without \`verify_via\`: nobody can tell whether it worked.`,
    )
  },
} satisfies Rule
