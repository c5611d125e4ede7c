import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const requiresDuplicate = {
  code: 'SVC3004',
  slug: 'requires-duplicate',
  severity: 'warning',
  source: 'D',
  section: '2.4',
  description: 'A prerequisite is listed once.',
  needs: 'requires',
  ofCapability({ capability }, report) {
    const first = new Map<string, Parameters<typeof at>[0]>()
    for (const each of capability.requires ?? []) {
      if (each.capability === undefined) continue
      const earlier = first.get(each.capability)
      if (earlier === undefined) first.set(each.capability, each)
      else
        report(at(each, 'capability'), `\`${each.capability}\` is required twice; remove one.`, {
          related: [{ span: at(earlier, 'capability'), message: 'It is required here first.' }],
        })
    }
  },
} satisfies Rule
