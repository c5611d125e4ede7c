import { at } from '../../shape/view.js'
import { changesSomething } from '../facts/effects.js'
import type { Rule } from '../rule.js'

export const bindingSourceNotRead = {
  code: 'SVC2608',
  slug: 'binding-source-not-read',
  severity: 'warning',
  source: 'L',
  section: '2.4',
  description: 'A binding comes from a capability that reads.',
  why:
    'Callers fetch a binding anew when it has grown too old, and retry on the way: a source that changes ' +
    'something would do it each time. Where the order of things wants it (a reservation that a dispatch ' +
    'binds to), suppress it with that reason.',
  needs: 'requires_binding',
  ofCapability({ capability, capabilities }, report) {
    for (const binding of capability.requires_binding ?? []) {
      const source = binding.source_capability === undefined ? undefined : capabilities.get(binding.source_capability)
      if (source !== undefined && changesSomething(source))
        report(
          at(binding, 'source_capability'),
          `The binding source \`${binding.source_capability}\` is not a read: fetching the binding anew would change something again.`,
        )
    }
  },
} satisfies Rule
