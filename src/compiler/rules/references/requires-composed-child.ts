import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const requiresComposedChild = {
  code: 'SVC3006',
  slug: 'requires-composed-child',
  severity: 'info',
  source: 'L',
  section: '2.4,2.8',
  description: 'A step of a composition is not its prerequisite, too.',
  needs: 'requires',
  ofCapability({ capability }, report) {
    const steps = new Set((capability.composition?.steps ?? []).flatMap((step) => step.capability ?? []))
    for (const each of capability.requires ?? [])
      if (each.capability !== undefined && steps.has(each.capability))
        report(
          at(each, 'capability'),
          `\`${each.capability}\` is already a step of this composition; remove the prerequisite.`,
        )
  },
} satisfies Rule
