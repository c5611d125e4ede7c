import type { Json } from '../../../protocol/manifest.js'
import { APPROVAL_COMPARISONS, type ApprovalComparison } from '../../../protocol/words.js'
import type { Span } from '../../parse/tree.js'
import { at, itemAt, type ViewList } from '../../shape/view.js'
import { inputsOf } from '../facts/names.js'
import { fitsType, shownValue } from '../facts/values.js'
import type { Rule } from '../rule.js'
import { DECLARED_NAMES } from '../why-not.js'

const WITHOUT_ORDER = ['boolean', 'object', 'array']
const ORDERING: readonly ApprovalComparison[] = ['above', 'at_least', 'below', 'at_most']

export const approvalConditionType = {
  code: 'SVC7015',
  slug: 'approval-condition-type',
  severity: 'error',
  source: 'A',
  section: '2.12',
  description: 'A condition for an approval compares an input with a value of its type.',
  why: 'A comparison that can never hold never asks for the approval, or always does.',
  whyNot: DECLARED_NAMES,
  needs: 'approval',
  ofCapability({ capability }, report) {
    const inputs = inputsOf(capability)
    const needed = capability.approval?.required
    if (inputs === undefined || typeof needed !== 'object') return
    for (const condition of needed.when ?? []) {
      const { input = '' } = condition
      const type = inputs.get(input)?.type
      if (type === undefined) continue
      for (const comparison of APPROVAL_COMPARISONS) {
        const bound = condition[comparison] as Json | undefined
        if (bound === undefined) continue
        const span = at(condition, comparison)
        if (ORDERING.includes(comparison) && WITHOUT_ORDER.includes(type))
          report(
            span,
            `\`${input}\` is of the type \`${type}\`, which has no order; compare it with \`equals\` or \`in\`.`,
          )
        else
          for (const [value, place] of comparison === 'in'
            ? itemsOf(bound as ViewList<Json>)
            : [[bound, span] as const])
            if (!fitsType(value, type))
              report(place, `The value ${shownValue(value)} does not fit the type \`${type}\` of \`${input}\`.`)
      }
    }
  },
} satisfies Rule

const itemsOf = (list: ViewList<Json>): readonly (readonly [Json, Span])[] =>
  list.map((value, index) => [value, itemAt(list, index)])
