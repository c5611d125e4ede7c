import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { OWN_KEY } from '../why-not.js'

export const requiresSelf = {
  code: 'SVC3002',
  slug: 'requires-self',
  severity: 'error',
  source: 'D',
  section: '2.4',
  description: 'A capability does not require itself.',
  whyNot: OWN_KEY,
  needs: 'requires',
  ofCapability({ name, capability }, report) {
    for (const each of capability.requires ?? [])
      if (each.capability === name) report(at(each, 'capability'), `\`${name}\` requires itself; remove the item.`)
  },
} satisfies Rule
