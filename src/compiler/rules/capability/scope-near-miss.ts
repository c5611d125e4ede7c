import { itemAt } from '../../shape/view.js'
import { scopesOf } from '../facts/references.js'
import { rareNeighbour } from '../facts/nearby.js'
import { meant } from '../../nearest.js'
import type { Rule } from '../rule.js'

export const scopeNearMiss = {
  code: 'SVC2208',
  slug: 'scope-near-miss',
  severity: 'warning',
  source: 'L',
  section: '2.4',
  description: 'A scope that is used once does not resemble one that is used often.',
  ofCapability(facts, report) {
    const uses = facts.once(scopesOf)
    for (const [index, scope] of (facts.capability.minimum_scope ?? []).entries()) {
      const near = rareNeighbour(scope, uses)
      if (near === undefined) continue
      report(
        itemAt(facts.capability.minimum_scope!, index),
        `The scope \`${scope}\` is used once, \`${near}\` ${uses.get(near)} times. Did you mean \`${near}\`?`,
        meant(near),
      )
    }
  },
} satisfies Rule
