import { at, hasAllItems } from '../../shape/view.js'
import { meant, nearest, question } from '../../nearest.js'
import { fitsType, shownValue, sameValue } from '../facts/values.js'
import type { Rule } from '../rule.js'
import { TWO_VALUES } from '../why-not.js'

export const defaultNotAllowed = {
  code: 'SVC2304',
  slug: 'default-not-allowed',
  severity: 'error',
  source: 'D',
  section: '2.5',
  description: 'A default is one of the allowed values.',
  whyNot: TWO_VALUES,
  needs: 'allowed_values',
  ofInput({ input }, report) {
    const { allowed_values, type } = input
    if (
      input.default === undefined ||
      input.default === null ||
      allowed_values === undefined ||
      !hasAllItems(allowed_values)
    )
      return
    if (type !== undefined && !fitsType(input.default, type)) return
    if (allowed_values.length === 0 || allowed_values.some((value) => sameValue(value, input.default))) return
    const near =
      typeof input.default === 'string'
        ? nearest(
            input.default,
            allowed_values.filter((value) => typeof value === 'string'),
          )
        : undefined
    report(
      at(input, 'default'),
      `The default ${shownValue(input.default)} is not among \`allowed_values\`.${question(near)}`,
      meant(near),
    )
  },
} satisfies Rule
