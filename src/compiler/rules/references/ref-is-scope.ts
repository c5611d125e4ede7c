import { kindOfReference, referencesOf } from '../facts/references.js'
import type { Rule } from '../rule.js'
import { OTHER_CAPABILITY } from '../why-not.js'

export const refIsScope = {
  code: 'SVC3016',
  slug: 'ref-is-scope',
  severity: 'error',
  source: 'D',
  section: '1.8',
  description: 'A reference names a capability, not a scope.',
  why: 'Scopes and names are different things.',
  whyNot: OTHER_CAPABILITY,
  ofCapability(facts, report) {
    for (const { name, span, field } of referencesOf(facts.capability))
      if (kindOfReference(facts, name) === 'scope')
        report(span, `\`${name}\` is a scope, not a capability; name a capability in \`${field}\`.`)
  },
} satisfies Rule
