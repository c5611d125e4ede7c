import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { OWN_KEY } from '../why-not.js'

export const compensationSelf = {
  code: 'SVC2105',
  slug: 'compensation-self',
  severity: 'error',
  source: 'D',
  section: '2.4',
  description: 'A capability does not compensate itself.',
  whyNot: OWN_KEY,
  ofCapability({ name, capability: { side_effect } }, report) {
    if (side_effect?.compensation !== name) return
    report(at(side_effect, 'compensation'), `\`${name}\` cannot compensate itself; name the capability that undoes it.`)
  },
} satisfies Rule
