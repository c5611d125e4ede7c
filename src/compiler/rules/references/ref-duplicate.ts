import { listed } from '../facts/references.js'
import type { Span } from '../../parse/tree.js'
import type { Rule } from '../rule.js'

export const refDuplicate = {
  code: 'SVC3015',
  slug: 'ref-duplicate',
  severity: 'warning',
  source: 'D',
  section: '2.4',
  description: 'A capability is listed once in `refresh_via` and `verify_via`.',
  ofCapability({ capability }, report) {
    for (const field of ['refresh_via', 'verify_via'] as const) {
      const first = new Map<string, Span>()
      for (const { name, span } of listed(field, capability[field])) {
        const earlier = first.get(name)
        if (earlier === undefined) first.set(name, span)
        else
          report(span, `\`${name}\` is listed twice in \`${field}\`; remove one.`, {
            related: [{ span: earlier, message: 'It is listed here first.' }],
          })
      }
    }
  },
} satisfies Rule
