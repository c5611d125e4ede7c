import { referencesOf, reportUnknown } from '../facts/references.js'
import type { Rule } from '../rule.js'
import { OTHER_CAPABILITY } from '../why-not.js'

export const bindingSourceUnknown = {
  code: 'SVC2607',
  slug: 'binding-source-unknown',
  severity: 'error',
  source: 'A',
  section: '2.4',
  description: 'The source of a binding is a capability of this manifest.',
  whyNot: OTHER_CAPABILITY,
  needs: 'requires_binding',
  ofCapability(facts, report) {
    for (const reference of referencesOf(facts.capability))
      if (reference.field === 'source_capability') reportUnknown(facts, reference, report)
  },
} satisfies Rule
