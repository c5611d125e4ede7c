import { at } from '../../shape/view.js'
import { CROSS_SERVICE_LISTS } from '../../../protocol/words.js'
import type { Rule } from '../rule.js'

export const crossToSelf = {
  code: 'SVC3103',
  slug: 'cross-to-self',
  severity: 'warning',
  source: 'D',
  section: '2.9',
  description: '`cross_service` names other services.',
  needs: 'cross_service',
  ofCapability({ manifest, capability: { cross_service } }, report) {
    const own = manifest.service_identity?.id
    if (own === undefined || cross_service === undefined) return
    for (const list of CROSS_SERVICE_LISTS)
      for (const reference of cross_service[list] ?? [])
        if (reference.service === own)
          report(
            at(reference, 'service'),
            `\`${own}\` is this service; use \`refresh_via\` or \`verify_via\` of the capability itself.`,
          )
  },
} satisfies Rule
