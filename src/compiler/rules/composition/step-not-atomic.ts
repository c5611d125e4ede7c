import { at } from '../../shape/view.js'
import { isComposed } from '../facts/effects.js'
import type { Rule } from '../rule.js'
import { OTHER_CAPABILITY } from '../why-not.js'

export const stepNotAtomic = {
  code: 'SVC4008',
  slug: 'step-not-atomic',
  severity: 'error',
  source: 'S',
  section: '2.8',
  description: 'A step invokes an atomic capability.',
  whyNot: OTHER_CAPABILITY,
  ofStep({ name, step, capabilities }, report) {
    const child =
      step.capability === undefined || step.capability === name ? undefined : capabilities.get(step.capability)
    if (child === undefined || !isComposed(child)) return
    report(at(step, 'capability'), `\`${step.capability}\` is composed; steps must be atomic.`, {
      related: [{ span: at(child, 'kind'), message: 'It is composed here.' }],
    })
  },
} satisfies Rule
