import { at } from '../../shape/view.js'
import { fromMinorUnits } from '../../../protocol/money.js'
import { childOf } from '../facts/mappings.js'
import { checkedPriceOf } from '../facts/money.js'
import type { Rule } from '../rule.js'
import { OTHER_CAPABILITY } from '../why-not.js'

export const parentCostBelowChildren = {
  code: 'SVC4405',
  slug: 'parent-cost-below-children',
  severity: 'error',
  source: 'D',
  section: '2.7,2.8',
  description: 'A composition costs at least as much as its steps together.',
  whyNot: OTHER_CAPABILITY,
  needs: 'composition',
  ofCapability(facts, report) {
    const { capability } = facts
    const own = checkedPriceOf(capability)
    const prices = [...(capability.composition?.steps ?? [])].flatMap((step) => {
      const child = childOf(facts, step)
      return (child === undefined ? undefined : checkedPriceOf(child)) ?? []
    })
    if (own === undefined || prices.some(({ currency }) => currency !== own.currency)) return
    const sum = prices.reduce((total, { units }) => total + units, 0n)
    if (own.units >= sum) return
    const field = capability.cost!.certainty === 'fixed' ? 'amount' : 'upper_bound'
    const major = fromMinorUnits(sum, own.currency).amount
    report(
      at(capability.cost!.financial!, field),
      `The parent costs ${capability.cost!.financial![field]} ${own.currency}, below the sum of its ` +
        `steps, ${major} ${own.currency}.`,
    )
  },
} satisfies Rule
