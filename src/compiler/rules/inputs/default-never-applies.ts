import { keyOf } from '../../shape/view.js'
import { defaultCanApply } from '../facts/defaults.js'
import type { InputView, Rule } from '../rule.js'

export const defaultNeverApplies = {
  code: 'SVC2424',
  slug: 'default-never-applies',
  severity: 'warning',
  source: 'D',
  section: '2.6',
  description: 'An optional input has no default that its resolution never uses.',
  why: 'A reader takes the default for what happens; the service asks, refuses or leaves the value out.',
  needs: 'default',
  ofInput({ input }, report) {
    if (input.required !== false || defaultCanApply(input)) return
    if (input.resolution?.mode === 'explicit_only') return
    report(
      keyOf(input, 'default'),
      `The default of \`${input.name}\` never applies: ${reasonOf(input)}. Remove it, or write \`on_missing: ` +
        'use_default`.',
    )
  },
} satisfies Rule

const reasonOf = ({ resolution }: InputView): string =>
  resolution?.on_missing === undefined
    ? `the mode is \`${resolution?.mode}\``
    : `a missing value means \`${resolution.on_missing}\``
