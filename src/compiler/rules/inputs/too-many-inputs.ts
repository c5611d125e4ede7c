import { keyOf } from '../../shape/view.js'
import type { Rule } from '../rule.js'

const MANY = 20

export const tooManyInputs = {
  code: 'SVC2317',
  slug: 'too-many-inputs',
  severity: 'info',
  source: 'L',
  section: '2.5',
  description: 'A capability has at most 20 inputs.',
  why: 'Agents fill long forms badly.',
  ofCapability({ capability }, report) {
    const count = capability.inputs?.length ?? 0
    if (count > MANY)
      report(keyOf(capability, 'inputs'), `${count} inputs; agents fill long forms badly. Split the capability.`)
  },
} satisfies Rule
