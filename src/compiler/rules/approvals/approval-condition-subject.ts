import { at, isAbsent, ownerOf } from '../../shape/view.js'
import { APPROVAL_COMPARISONS, COST_COMPARISONS } from '../../../protocol/words.js'
import type { Rule } from '../rule.js'
import { COSTS_MONEY, allHold, has, lacks, says, some, someItem, when } from '../schema-part.js'

export const approvalConditionSubject = {
  code: 'SVC7018',
  slug: 'approval-condition-subject',
  severity: 'error',
  source: 'D',
  section: '2.12',
  description: 'A condition for an approval compares one input, or the declared cost.',
  why: 'A condition that names neither, or a cost that nobody declared, is met by every call.',
  schema: {
    'approval condition': allHold(
      some(has('input'), has('cost')),
      when(has('cost'), lacks('input', ...APPROVAL_COMPARISONS)),
    ),
    'condition on cost': some(...COST_COMPARISONS.map((comparison) => has(comparison))),
    capability: when(says({ approval: says({ required: says({ when: someItem(has('cost')) }) }) }), COSTS_MONEY),
  },
  needs: 'approval',
  ofCapability({ capability }, report) {
    const needed = capability.approval?.required
    if (typeof needed !== 'object') return
    for (const condition of needed.when ?? []) {
      if (isAbsent(condition, 'input') && isAbsent(condition, 'cost'))
        report(ownerOf(condition), 'A condition names neither an `input` nor a `cost` to compare.')
      if (condition.cost === undefined) continue
      if (condition.input !== undefined) {
        report(at(condition, 'cost'), 'A condition compares an `input` or the `cost`; write two conditions for both.')
        continue
      }
      const stray = APPROVAL_COMPARISONS.find((comparison) => condition[comparison] !== undefined)
      if (stray !== undefined)
        report(
          at(condition, stray),
          `\`${stray}\` compares an input; a cost is compared by \`cost: { above: … }\` or \`cost: { at_least: … }\`.`,
        )
      else if (COST_COMPARISONS.every((comparison) => isAbsent(condition.cost!, comparison)))
        report(at(condition, 'cost'), 'Say from which cost on an approval is needed: `cost: { above: … }`.')
      else if (
        isAbsent(capability, 'cost') ||
        (capability.cost !== undefined && isAbsent(capability.cost, 'financial'))
      )
        report(at(condition, 'cost'), 'The condition compares the cost, but no `cost.financial` is declared.')
    }
  },
} satisfies Rule
