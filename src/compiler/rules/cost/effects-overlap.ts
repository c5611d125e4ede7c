import { itemAt } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { TWO_VALUES } from '../why-not.js'

export const effectsOverlap = {
  code: 'SVC2614',
  slug: 'effects-overlap',
  severity: 'error',
  source: 'D',
  section: '2.4',
  description: 'No effect is both produced and not produced.',
  whyNot: TWO_VALUES,
  needs: 'business_effects',
  ofCapability({ capability: { business_effects } }, report) {
    const { produces, does_not_produce: excluded } = business_effects ?? {}
    for (const [index, effect] of (excluded ?? []).entries()) {
      const other = produces?.indexOf(effect) ?? -1
      if (other !== -1)
        report(itemAt(excluded!, index), `\`${effect}\` is both produced and not produced.`, {
          related: [{ span: itemAt(produces!, other), message: 'It is produced here.' }],
        })
    }
  },
} satisfies Rule
