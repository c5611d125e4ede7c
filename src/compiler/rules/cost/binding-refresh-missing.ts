import { at, isAbsent, hasAllItems } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const bindingRefreshMissing = {
  code: 'SVC2612',
  slug: 'binding-refresh-missing',
  severity: 'warning',
  source: 'D',
  section: '2.4,7',
  description: '`refresh_via` lists the source of a binding.',
  why: 'binding_stale tells callers to refresh.',
  needs: 'requires_binding',
  ofCapability({ capability, capabilities, declares }, report) {
    const { refresh_via: refresh, requires_binding: bindings = [] } = capability
    if (refresh === undefined ? !isAbsent(capability, 'refresh_via') : !hasAllItems(refresh)) return
    if (refresh?.some((name) => !declares(name))) return
    for (const binding of bindings) {
      const source = binding.source_capability
      if (source === undefined || !capabilities.has(source) || refresh?.includes(source)) continue
      report(
        at(binding, 'source_capability'),
        `The binding comes from \`${source}\`, but \`refresh_via\` does not list it; binding_stale tells callers ` +
          'to refresh.',
      )
    }
  },
} satisfies Rule
