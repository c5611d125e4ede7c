import { keyOf } from '../../shape/view.js'
import type { Rule } from '../rule.js'

const MANY = 100

export const allowedValuesMany = {
  code: 'SVC2315',
  slug: 'allowed-values-many',
  severity: 'info',
  source: 'L',
  section: '2.5',
  law: 'A long list of values is a catalog.',
  needs: 'allowed_values',
  ofInput({ input }, tell) {
    const count = input.allowed_values?.length ?? 0
    if (count > MANY) tell(keyOf(input, 'allowed_values'), `${count} allowed values; name a catalog instead.`)
  },
} satisfies Rule
