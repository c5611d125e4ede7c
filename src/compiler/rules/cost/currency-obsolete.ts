import { at } from '../../shape/view.js'
import { withdrawnIn } from '../../shape/formats.js'
import type { Rule } from '../rule.js'

export const currencyObsolete = {
  code: 'SVC2507',
  slug: 'currency-obsolete',
  severity: 'error',
  source: 'D',
  section: '2.7',
  description: 'A currency is still in use.',
  why: 'Amounts in a withdrawn currency cannot be checked.',
  schema: 'table',
  needs: 'cost',
  ofCapability({ capability: { cost } }, report) {
    const currency = cost?.financial?.currency
    const year = currency === undefined ? undefined : withdrawnIn(currency)
    if (year !== undefined)
      report(
        at(cost!.financial!, 'currency'),
        `\`${currency}\` was withdrawn from ISO 4217 (${year}); use the currency that replaced it.`,
      )
  },
} satisfies Rule
