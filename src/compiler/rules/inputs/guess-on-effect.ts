import { at } from '../../shape/view.js'
import { isIrreversible } from '../facts/effects.js'
import type { Rule } from '../rule.js'

export const guessOnEffect = {
  code: 'SVC2420',
  slug: 'guess-on-effect',
  severity: 'warning',
  source: 'L',
  section: '2.6',
  description: 'An irreversible capability does not guess what it acts on.',
  needs: 'resolution',
  ofInput({ capability, input: { name, resolution } }, report) {
    if (!isIrreversible(capability) || resolution === undefined) return
    for (const behaviour of ['on_ambiguous', 'on_unresolved'] as const)
      if (resolution[behaviour] === 'use_default')
        report(
          at(resolution, behaviour),
          `An irreversible action guesses: \`${behaviour}: use_default\` on \`${name}\`; ask or deny instead.`,
        )
  },
} satisfies Rule
