import { changesSomething } from '../facts/effects.js'
import { listed } from '../facts/references.js'
import type { Rule } from '../rule.js'

export const verifyNotRead = {
  code: 'SVC3013',
  slug: 'verify-not-read',
  severity: 'warning',
  source: 'L',
  section: '2.4',
  description: '`verify_via` names capabilities that read.',
  needs: 'verify_via',
  ofCapability({ name, capability, capabilities }, report) {
    for (const each of listed('verify_via', capability.verify_via)) {
      const other = each.name === name ? undefined : capabilities.get(each.name)
      if (other !== undefined && changesSomething(other))
        report(each.span, `Verifying through \`${each.name}\` (${other.side_effect!.type}) performs an action.`)
    }
  },
} satisfies Rule
