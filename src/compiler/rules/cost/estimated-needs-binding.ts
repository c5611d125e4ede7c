import { at, isAbsent, hasAllItems } from '../../shape/view.js'
import { AS_STEPS_FIX_IT } from '../facts/composed-cost.js'
import { isComposed } from '../facts/effects.js'
import type { Rule } from '../rule.js'

export const estimatedNeedsBinding = {
  code: 'SVC2504',
  slug: 'estimated-needs-binding',
  severity: 'warning',
  source: 'S',
  section: '2.7,4.6',
  description: 'An estimated financial cost has a binding that pins the price.',
  why: 'Without one, every call with a budget ends in budget_not_enforceable.',
  needs: 'cost',
  ofCapability({ capability }, report) {
    const { cost, requires_binding: bindings } = capability
    if (cost?.certainty !== 'estimated' || cost.financial === undefined) return
    if (
      bindings === undefined ? !isAbsent(capability, 'requires_binding') : bindings.length > 0 || !hasAllItems(bindings)
    )
      return
    report(
      at(cost, 'certainty'),
      '`estimated` without `requires_binding`: every call with a budget ends in budget_not_enforceable.' +
        (isComposed(capability) ? ` ${AS_STEPS_FIX_IT}` : ''),
    )
  },
} satisfies Rule
