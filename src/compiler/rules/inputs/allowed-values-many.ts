import { keyOf } from '../../shape/view.js'
import type { Rule } from '../rule.js'

const MANY = 100

export const allowedValuesMany = {
  code: 'SVC2315',
  slug: 'allowed-values-many',
  severity: 'info',
  source: 'L',
  section: '2.5',
  description: 'A long list of values is a catalog.',
  needs: 'allowed_values',
  ofInput({ input }, report) {
    const count = input.allowed_values?.length ?? 0
    if (count > MANY) report(keyOf(input, 'allowed_values'), `${count} allowed values; name a catalog instead.`)
  },
} satisfies Rule
