import { at } from '../../shape/view.js'
import { meant } from '../../nearest.js'
import type { Rule } from '../rule.js'

export const bindingAgeCalendar = {
  code: 'SVC2618',
  slug: 'binding-age-calendar',
  severity: 'warning',
  source: 'L',
  section: '2.4,7',
  description: 'The `max_age` of a binding is not counted in months or years.',
  why: '`M` before the `T` of a duration are months: `P15M` lasts more than a year, `PT15M` a quarter of an hour.',
  needs: 'requires_binding',
  ofCapability({ capability }, report) {
    for (const binding of capability.requires_binding ?? []) {
      const age = binding.max_age
      if (age === undefined || !/^P[^T]*[MY]/u.test(age)) continue
      const near = /^P\d+M$/u.test(age) ? age.replace('P', 'PT') : undefined
      const rest = near === undefined ? 'Use days, hours or minutes.' : `Did you mean \`${near}\`, in minutes?`
      report(at(binding, 'max_age'), `\`${age}\` counts in months or years. ${rest}`, meant(near))
    }
  },
} satisfies Rule
