import { keyOf, isAbsent } from '../../shape/view.js'
import { defaultCanApply } from '../facts/defaults.js'
import type { Rule } from '../rule.js'

export const requiredWithDefault = {
  code: 'SVC2306',
  slug: 'required-with-default',
  severity: 'warning',
  source: 'D',
  section: '2.5',
  description: 'A required input has no default.',
  why: 'Either it can never apply, or it stands in for what every caller has to give: the declaration says two things.',
  needs: 'default',
  ofInput({ input }, report) {
    if (input.required === false || input.resolution?.on_missing === 'use_default') return
    if (input.required === undefined && !isAbsent(input, 'required')) return
    if (input.resolution?.mode === 'explicit_only') return
    const what = defaultCanApply(input)
      ? 'but its default stands in when it is left out'
      : 'so its default never applies'
    report(
      keyOf(input, 'default'),
      `The input \`${input.name}\` is required, ${what}; write \`required: false\`, or remove the default.`,
    )
  },
} satisfies Rule
