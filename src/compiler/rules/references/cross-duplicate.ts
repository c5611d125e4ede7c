import { at, ownerOf } from '../../shape/view.js'
import { CROSS_SERVICE_LISTS } from '../../../protocol/words.js'
import type { Rule } from '../rule.js'

export const crossDuplicate = {
  code: 'SVC3104',
  slug: 'cross-duplicate',
  severity: 'warning',
  source: 'D',
  section: '2.9',
  description: 'A capability of another service is listed once in a list.',
  needs: 'cross_service',
  ofCapability({ capability: { cross_service } }, report) {
    if (cross_service === undefined) return
    for (const list of CROSS_SERVICE_LISTS) {
      const first = new Map<string, Parameters<typeof at>[0]>()
      for (const reference of cross_service[list] ?? []) {
        const { service, capability } = reference
        if (service === undefined || capability === undefined) continue
        const earlier = first.get(`${service} ${capability}`)
        if (earlier === undefined) first.set(`${service} ${capability}`, reference)
        else
          report(
            ownerOf(reference),
            `\`${capability}\` of \`${service}\` is listed twice in \`${list}\`; remove one.`,
            {
              related: [{ span: at(earlier, 'service'), message: 'It is listed here first.' }],
            },
          )
      }
    }
  },
} satisfies Rule
