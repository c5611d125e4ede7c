import { itemAt } from '../../shape/view.js'
import { fitsType, shownValue } from '../facts/values.js'
import { OF_FORMATS } from '../why-not.js'
import type { Rule } from '../rule.js'
import { forEachType, members } from '../schema-part.js'

export const allowedValuesType = {
  code: 'SVC2303',
  slug: 'allowed-values-type',
  severity: 'error',
  source: 'D',
  section: '2.5',
  description: 'Each allowed value fits the type of its input.',
  schema: { input: forEachType((types) => members({ allowed_values: { type: 'array', items: { type: types } } })) },
  whyNot: OF_FORMATS,
  needs: 'allowed_values',
  ofInput({ input }, report) {
    const { type, allowed_values } = input
    if (type === undefined || allowed_values === undefined) return
    for (const [index, value] of allowed_values.entries())
      if (!fitsType(value, type))
        report(
          itemAt(allowed_values, index),
          `The allowed value ${shownValue(value)} does not fit the type \`${type}\`.`,
        )
  },
} satisfies Rule
