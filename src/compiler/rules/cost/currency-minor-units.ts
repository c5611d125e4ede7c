import { at } from '../../shape/view.js'
import { currencyCodes, decimalsOf, minorUnits } from '../../../protocol/money.js'
import type { JsonObject } from '../../../protocol/manifest.js'
import type { Rule } from '../rule.js'
import { allHold, members, says, when } from '../schema-part.js'

const AMOUNTS = ['amount', 'upper_bound', 'range_min', 'range_max', 'typical'] as const
const WITHOUT_DECIMALS = currencyCodes().filter((code) => decimalsOf(code) === 0)
const eachAmount = (schema: JsonObject): JsonObject =>
  members(Object.fromEntries(AMOUNTS.map((name) => [name, schema])))

export const currencyMinorUnits = {
  code: 'SVC2514',
  slug: 'currency-minor-units',
  severity: 'error',
  source: 'D',
  section: '2.7',
  description: 'An amount has no more decimals than its currency.',
  why: 'Money is compared in exact minor units.',
  schema: {
    'financial cost': allHold(
      eachAmount({ type: 'number', maximum: Number.MAX_SAFE_INTEGER }),
      when(says({ currency: { enum: WITHOUT_DECIMALS } }), eachAmount({ type: 'integer' })),
    ),
  },
  whyNot: 'Decimals would be `multipleOf: 0.01`, which validators compute in binary fractions: they would refuse 0.07.',
  needs: 'cost',
  ofCapability({ capability: { cost } }, report) {
    const { currency } = cost?.financial ?? {}
    const decimals = currency === undefined ? undefined : decimalsOf(currency)
    if (decimals === undefined) return
    for (const field of AMOUNTS) {
      const amount = cost!.financial![field]
      if (amount !== undefined && minorUnits({ currency: currency!, amount }) === undefined)
        report(
          at(cost!.financial!, field),
          `${currency} has ${decimals} decimals; ${amount} is no whole number of its smallest unit, or too large.`,
        )
    }
  },
} satisfies Rule
