import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { DISTINCT, members } from '../schema-part.js'
import { ONE_MEMBER } from '../why-not.js'

export const tierRepeated = {
  code: 'SVC7022',
  slug: 'tier-repeated',
  severity: 'error',
  source: 'A',
  section: '2.12',
  description: 'Each tier of an approval begins at an amount of its own.',
  why: 'Of two tiers that begin at one amount nobody can say which decides.',
  schema: { approval: members({ tiers: DISTINCT }) },
  whyNot: ONE_MEMBER,
  needs: 'approval',
  ofCapability({ capability: { approval } }, report) {
    const seen = new Set<number>()
    for (const tier of approval?.tiers ?? []) {
      if (tier.cost_above === undefined) continue
      if (seen.has(tier.cost_above))
        report(at(tier, 'cost_above'), `Another tier begins above ${tier.cost_above}; name each amount once.`)
      seen.add(tier.cost_above)
    }
  },
} satisfies Rule
