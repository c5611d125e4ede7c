import { at } from '../../shape/view.js'
import { decimalsOf, minorUnits } from '../../../protocol/money.js'
import type { Rule } from '../rule.js'

export const currencyMinorUnits = {
  code: 'SVC2514',
  slug: 'currency-minor-units',
  severity: 'error',
  source: 'D',
  section: '2.7',
  description: 'An amount has no more decimals than its currency.',
  why: 'Money is compared in exact minor units.',
  needs: 'cost',
  ofCapability({ capability: { cost } }, report) {
    const { currency } = cost?.financial ?? {}
    const decimals = currency === undefined ? undefined : decimalsOf(currency)
    if (decimals === undefined) return
    for (const field of ['amount', 'upper_bound', 'range_min', 'range_max', 'typical'] as const) {
      const amount = cost!.financial![field]
      if (amount !== undefined && minorUnits({ currency: currency!, amount }) === undefined)
        report(
          at(cost!.financial!, field),
          `${currency} has ${decimals} decimals; ${amount} is no whole number of its smallest unit, or too large.`,
        )
    }
  },
} satisfies Rule
