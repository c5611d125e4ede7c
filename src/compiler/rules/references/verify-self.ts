import { listed } from '../facts/references.js'
import type { Rule } from '../rule.js'
import { OWN_KEY } from '../why-not.js'

export const verifySelf = {
  code: 'SVC3012',
  slug: 'verify-self',
  severity: 'error',
  source: 'D',
  section: '2.4',
  description: 'A capability does not verify itself.',
  whyNot: OWN_KEY,
  needs: 'verify_via',
  ofCapability({ name, capability }, report) {
    for (const each of listed('verify_via', capability.verify_via))
      if (each.name === name) report(each.span, `\`${name}\` cannot verify itself; name a capability that reads.`)
  },
} satisfies Rule
