import { at } from '../../shape/view.js'
import { CAPABILITY_NAME } from '../../../protocol/identifiers.js'
import { meant } from '../../nearest.js'
import type { Rule } from '../rule.js'

export const determinedByUnknown = {
  code: 'SVC2515',
  slug: 'determined-by-unknown',
  severity: 'warning',
  source: 'D',
  section: '2.7',
  description: '`determined_by` does not resemble a capability without being one.',
  needs: 'cost',
  ofCapability(facts, report) {
    const {
      capability: { cost },
    } = facts
    const source = cost?.determined_by
    if (source === undefined || facts.declares(source) || !CAPABILITY_NAME.test(source)) return
    const near = facts.nearestCapability(source)
    if (near !== undefined && Math.abs(near.length - source.length) < 3)
      report(
        at(cost!, 'determined_by'),
        `\`determined_by\` names \`${source}\`. Did you mean the capability \`${near}\`?`,
        meant(near),
      )
  },
} satisfies Rule
