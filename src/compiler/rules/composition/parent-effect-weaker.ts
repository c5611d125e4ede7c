import { at } from '../../shape/view.js'
import { SIDE_EFFECTS } from '../../../protocol/words.js'
import { childOf } from '../facts/mappings.js'
import type { Rule } from '../rule.js'
import { OTHER_CAPABILITY } from '../why-not.js'

export const parentEffectWeaker = {
  code: 'SVC4401',
  slug: 'parent-effect-weaker',
  severity: 'error',
  source: 'D',
  section: '2.4,2.8',
  description: 'A composition declares at least the side effect of its steps.',
  whyNot: OTHER_CAPABILITY,
  ofStep(facts, report) {
    const own = facts.capability.side_effect?.type
    const step = childOf(facts, facts.step)?.side_effect?.type
    if (own === undefined || step === undefined || SIDE_EFFECTS.indexOf(own) >= SIDE_EFFECTS.indexOf(step)) return
    report(
      at(facts.capability.side_effect!, 'type'),
      `The parent says \`${own}\`, but its step \`${facts.step.capability}\` is \`${step}\`; the parent must be ` +
        'at least as strong.',
      { related: [{ span: at(facts.step, 'capability'), message: 'The step is here.' }] },
    )
  },
} satisfies Rule
