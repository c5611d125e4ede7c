import { referencesOf, tellUnknown } from '../facts/references.js'
import type { Rule } from '../rule.js'

export const bindingSourceUnknown = {
  code: 'SVC2607',
  slug: 'binding-source-unknown',
  severity: 'error',
  source: 'A',
  section: '2.4',
  law: 'The source of a binding is a capability of this manifest.',
  needs: 'requires_binding',
  ofCapability(facts, tell) {
    for (const reference of referencesOf(facts.capability))
      if (reference.field === 'source_capability') tellUnknown(facts, reference, tell)
  },
} satisfies Rule
