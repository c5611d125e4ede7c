import { ownerOf, isAbsent } from '../../shape/view.js'
import { changesSomething, isComposed } from '../facts/effects.js'
import type { Rule } from '../rule.js'

const FINANCIAL =
  /(?:^|[._])(?:pay|payment|charge|purchase|buy|wire|transfer_funds|invoice|order|book|checkout)(?:$|[._])/u

export const financialWithoutCost = {
  code: 'SVC6002',
  slug: 'financial-without-cost',
  severity: 'warning',
  source: 'L',
  section: '2.7',
  description: 'A capability that looks financial declares a cost.',
  ofCapability({ name, capability }, report) {
    if (
      !changesSomething(capability) ||
      !isAbsent(capability, 'cost') ||
      isComposed(capability) ||
      !FINANCIAL.test(name)
    )
      return
    if (
      capability.side_effect?.type === 'transactional' ||
      /(?:^|[._])(?:cancel|refund|get|list|undo|void)/u.test(name)
    )
      return
    report(ownerOf(capability), `\`${name}\` looks financial, but declares no cost: no budget is checked.`)
  },
} satisfies Rule
