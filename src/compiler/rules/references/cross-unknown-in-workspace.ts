import { at } from '../../shape/view.js'
import { meant, nearest, question } from '../../nearest.js'
import { CROSS_SERVICE_LISTS } from '../../../protocol/words.js'
import type { Rule } from '../rule.js'

export const crossUnknownInWorkspace = {
  code: 'SVC3105',
  slug: 'cross-unknown-in-workspace',
  severity: 'warning',
  source: 'D',
  section: '2.9',
  description:
    'A capability of another service is one that its manifest declares, if that manifest is checked in the same run.',
  needs: 'cross_service',
  ofCapability({ services, capability: { cross_service } }, report) {
    if (cross_service === undefined) return
    for (const list of CROSS_SERVICE_LISTS)
      for (const reference of cross_service[list] ?? []) {
        const { service, capability } = reference
        const names = service === undefined ? undefined : services.get(service)
        if (names === undefined || capability === undefined || names.has(capability)) continue
        const near = nearest(capability, names)
        const details = meant(near)
        report(
          at(reference, 'capability'),
          `The manifest of \`${service}\` has no \`${capability}\`.${question(near)}`,
          details,
        )
      }
  },
} satisfies Rule
