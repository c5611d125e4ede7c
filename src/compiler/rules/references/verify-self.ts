import { listed } from '../facts/references.js'
import type { Rule } from '../rule.js'

export const verifySelf = {
  code: 'SVC3012',
  slug: 'verify-self',
  severity: 'error',
  source: 'D',
  section: '2.4',
  law: 'A capability does not verify itself.',
  needs: 'verify_via',
  ofCapability({ name, capability }, tell) {
    for (const each of listed('verify_via', capability.verify_via))
      if (each.name === name) tell(each.spot, `\`${name}\` cannot verify itself; name a capability that reads.`)
  },
} satisfies Rule
