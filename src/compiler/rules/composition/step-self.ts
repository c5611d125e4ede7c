import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { OWN_KEY } from '../why-not.js'

export const stepSelf = {
  code: 'SVC4009',
  slug: 'step-self',
  severity: 'error',
  source: 'D',
  section: '2.8',
  description: 'A composition does not call itself.',
  whyNot: OWN_KEY,
  ofStep({ name, step }, report) {
    if (step.capability === name) report(at(step, 'capability'), `\`${name}\` cannot be a step of itself.`)
  },
} satisfies Rule
