import { changesSomething } from '../facts/effects.js'
import { listed } from '../facts/references.js'
import type { Rule } from '../rule.js'

export const refreshNotRead = {
  code: 'SVC3010',
  slug: 'refresh-not-read',
  severity: 'warning',
  source: 'L',
  section: '2.4',
  description: '`refresh_via` names capabilities that read.',
  needs: 'refresh_via',
  ofCapability({ name, capability, capabilities }, report) {
    for (const each of listed('refresh_via', capability.refresh_via)) {
      const other = each.name === name ? undefined : capabilities.get(each.name)
      const isSource = capability.requires_binding?.some((binding) => binding.source_capability === each.name) === true
      if (other !== undefined && !isSource && changesSomething(other))
        report(each.span, `Refreshing through \`${each.name}\` (${other.side_effect!.type}) performs an action.`)
    }
  },
} satisfies Rule
