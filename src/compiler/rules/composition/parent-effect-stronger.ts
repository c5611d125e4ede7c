import { at } from '../../shape/view.js'
import { SIDE_EFFECTS } from '../../../protocol/words.js'
import { stepsOf } from '../facts/names.js'
import { childOf } from '../facts/mappings.js'
import type { Rule } from '../rule.js'

export const parentEffectStronger = {
  code: 'SVC4402',
  slug: 'parent-effect-stronger',
  severity: 'warning',
  source: 'D',
  section: '2.4,2.8',
  description: 'A composition declares no stronger side effect than its steps have.',
  needs: 'composition',
  ofCapability(facts, report) {
    const own = facts.capability.side_effect?.type
    const steps = stepsOf(facts.capability)
    if (own === undefined || steps === undefined) return
    const needed = own === 'transactional' ? 'write' : own
    const children = [...steps.values()].map((step) => childOf(facts, step)?.side_effect?.type)
    if (children.some((type) => type === undefined || SIDE_EFFECTS.indexOf(type) >= SIDE_EFFECTS.indexOf(needed)))
      return
    report(at(facts.capability.side_effect!, 'type'), `The parent says \`${own}\`, but no step is.`)
  },
} satisfies Rule
