import { keyOf, isAbsent } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const requiredWithDefault = {
  code: 'SVC2306',
  slug: 'required-with-default',
  severity: 'warning',
  source: 'D',
  section: '2.5',
  description: 'A required input has no default.',
  why: 'It can never apply, unless `on_missing: use_default` asks for it.',
  needs: 'default',
  ofInput({ input }, report) {
    if (input.default === undefined || input.required === false || input.resolution?.on_missing === 'use_default')
      return
    if (input.required === undefined && !isAbsent(input, 'required')) return
    if (input.resolution?.mode === 'explicit_only') return
    report(
      keyOf(input, 'default'),
      `The input \`${input.name}\` is required, so its default never applies; write \`required: false\`, or ` +
        'remove the default.',
    )
  },
} satisfies Rule
