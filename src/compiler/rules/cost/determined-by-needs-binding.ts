import { at, isAbsent, hasAllItems } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const determinedByNeedsBinding = {
  code: 'SVC2522',
  slug: 'determined-by-needs-binding',
  severity: 'warning',
  source: 'D',
  section: '2.7,4.6',
  description: 'A cost that a capability determines has a binding from it.',
  needs: 'cost',
  ofCapability({ capability, declares }, report) {
    const { cost, requires_binding: bindings } = capability
    const source = cost?.determined_by
    if (source === undefined || cost?.financial === undefined || cost.certainty === 'fixed' || !declares(source)) return
    if (cost.certainty === 'estimated' && bindings === undefined) return
    const mayBeFrom = (from: string | undefined): boolean => from === undefined || from === source || !declares(from)
    if (
      bindings === undefined
        ? !isAbsent(capability, 'requires_binding')
        : !hasAllItems(bindings) || bindings.some((each) => mayBeFrom(each.source_capability))
    )
      return
    report(at(cost, 'determined_by'), `The cost is determined by \`${source}\`, but no binding from it pins the price.`)
  },
} satisfies Rule
