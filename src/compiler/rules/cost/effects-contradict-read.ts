import { itemAt } from '../../shape/view.js'
import { isReading } from '../facts/effects.js'
import type { Rule } from '../rule.js'
import { members, none, says, when } from '../schema-part.js'

const CHANGES = /(?:^|[._])(?:mutation|write|update|delete|deletion|create|creation|transfer|payment|change)$/u

export const effectsContradictRead = {
  code: 'SVC2615',
  slug: 'effects-contradict-read',
  severity: 'error',
  source: 'D',
  section: '2.4',
  description: 'A capability that reads produces no change.',
  schema: {
    capability: when(
      says({ side_effect: says({ type: 'read' }) }),
      members({
        business_effects: members({
          produces: { type: 'array', items: none({ type: 'string', pattern: CHANGES.source }) },
        }),
      }),
    ),
  },
  needs: 'business_effects',
  ofCapability({ capability }, report) {
    const produces = capability.business_effects?.produces
    if (produces === undefined || !isReading(capability)) return
    for (const [index, effect] of produces.entries())
      if (CHANGES.test(effect))
        report(itemAt(produces, index), `The side effect is \`read\`, yet it produces \`${effect}\`.`)
  },
} satisfies Rule
