import { at } from '../../shape/view.js'
import { replace } from '../../finding.js'
import type { Rule } from '../rule.js'

const HINTS: readonly (readonly [RegExp, string])[] = [
  [/(?:^|_)date$/u, 'date'],
  [/(?:^|_)(?:email|email_address)$/u, 'email'],
  [/(?:^|_)(?:url|uri)$/u, 'uri'],
  [/(?:^|_)uuid$/u, 'uuid'],
  [/(?:^|_)(?:timestamp|datetime)$/u, 'datetime'],
  [/^(?:is|has)_/u, 'boolean'],
]

export const inputNameTypeHint = {
  code: 'SVC2316',
  slug: 'input-name-type-hint',
  severity: 'info',
  source: 'L',
  section: '2.5',
  description: 'An input whose name ends in a type word has that type.',
  ofInput({ input }, report) {
    const { name, type } = input
    if (name === undefined || type !== 'string') return
    const hint = HINTS.find(([pattern]) => pattern.test(name))?.[1]
    if (hint !== undefined)
      report(at(input, 'type'), `\`${name}\` has the type string. Did you mean \`${hint}\`?`, {
        suggestion: hint,
        fix: replace(at(input, 'type'), hint),
      })
  },
} satisfies Rule
