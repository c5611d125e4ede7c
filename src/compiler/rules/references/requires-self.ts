import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const requiresSelf = {
  code: 'SVC3002',
  slug: 'requires-self',
  severity: 'error',
  source: 'D',
  section: '2.4',
  law: 'A capability does not require itself.',
  needs: 'requires',
  ofCapability({ name, capability }, tell) {
    for (const each of capability.requires ?? [])
      if (each.capability === name) tell(at(each, 'capability'), `\`${name}\` requires itself; remove the item.`)
  },
} satisfies Rule
