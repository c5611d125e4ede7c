import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const stepSelf = {
  code: 'SVC4009',
  slug: 'step-self',
  severity: 'error',
  source: 'D',
  section: '2.8',
  law: 'A composition does not call itself.',
  ofStep({ name, step }, tell) {
    if (step.capability === name) tell(at(step, 'capability'), `\`${name}\` cannot be a step of itself.`)
  },
} satisfies Rule
