import { at } from '../../shape/view.js'
import { fitsType, shownValue } from '../facts/values.js'
import { OF_FORMATS } from '../why-not.js'
import type { Rule } from '../rule.js'
import { forEachType, members } from '../schema-part.js'

export const defaultType = {
  code: 'SVC2305',
  slug: 'default-type',
  severity: 'error',
  source: 'D',
  section: '2.5',
  description: 'A default fits the type of its input.',
  schema: { input: forEachType((types) => members({ default: { type: [...types, 'null'] } })) },
  whyNot: OF_FORMATS,
  needs: 'default',
  ofInput({ input }, report) {
    const { type } = input
    if (type === undefined || input.default === undefined || input.default === null || fitsType(input.default, type))
      return
    report(at(input, 'default'), `The default ${shownValue(input.default)} does not fit the type \`${type}\`.`)
  },
} satisfies Rule
