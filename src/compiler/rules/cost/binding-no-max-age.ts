import { ownerOf, isAbsent } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const bindingNoMaxAge = {
  code: 'SVC2611',
  slug: 'binding-no-max-age',
  severity: 'info',
  source: 'L',
  section: '2.4,7',
  description: 'A binding has a `max_age`.',
  why: 'Without one, a quote never goes stale.',
  needs: 'requires_binding',
  ofCapability({ capability }, report) {
    for (const binding of capability.requires_binding ?? [])
      if (isAbsent(binding, 'max_age'))
        report(ownerOf(binding), `The binding \`${binding.type}\` has no \`max_age\`: it never goes stale.`)
  },
} satisfies Rule
