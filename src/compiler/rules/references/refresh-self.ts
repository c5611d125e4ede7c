import { listed } from '../facts/references.js'
import type { Rule } from '../rule.js'
import { OWN_KEY } from '../why-not.js'

export const refreshSelf = {
  code: 'SVC3008',
  slug: 'refresh-self',
  severity: 'error',
  source: 'D',
  section: '2.4',
  description: '`refresh_via` does not name the capability itself.',
  whyNot: OWN_KEY,
  needs: 'refresh_via',
  ofCapability({ name, capability }, report) {
    for (const each of listed('refresh_via', capability.refresh_via))
      if (each.name === name) report(each.span, `\`${name}\` cannot refresh itself; remove it.`)
  },
} satisfies Rule
