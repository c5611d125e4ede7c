import { keyOf, isAbsent } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const noRecoveryPath = {
  code: 'SVC6010',
  slug: 'no-recovery-path',
  severity: 'info',
  source: 'L',
  section: '2.4,7',
  description: 'A capability that can fail with binding_stale says how to refresh.',
  needs: 'requires_binding',
  ofCapability({ capability, declares }, report) {
    const bindings = capability.requires_binding
    if (bindings === undefined || bindings.length === 0 || !isAbsent(capability, 'refresh_via')) return
    if (capability.cross_service !== undefined && !isAbsent(capability.cross_service, 'refresh_via')) return
    if (bindings.some(({ source_capability: source }) => source !== undefined && declares(source))) return
    report(
      keyOf(capability, 'requires_binding'),
      'A call can end in binding_stale, but neither `refresh_via` nor a source says how to refresh.',
    )
  },
} satisfies Rule
