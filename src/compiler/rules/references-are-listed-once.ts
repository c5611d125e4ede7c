import { listed } from './facts/references.js'
import type { Rule } from './rule.js'

export const referencesAreListedOnce = {
  code: 'SVC3015',
  slug: 'ref-duplicate',
  severity: 'warning',
  source: 'D',
  section: '2.4',
  law: 'A capability is listed once in `refresh_via` and `verify_via`.',
  ofCapability({ capability }, tell) {
    for (const field of ['refresh_via', 'verify_via'] as const) {
      const references = listed(field, capability[field])
      for (const [index, { name, spot }] of references.entries()) {
        const first = references.findIndex((each) => each.name === name)
        if (first !== index)
          tell(spot, `\`${name}\` is listed twice in \`${field}\`; remove one.`, {
            related: [{ spot: references[first]!.spot, message: 'It is listed here first.' }],
          })
      }
    }
  },
} satisfies Rule
