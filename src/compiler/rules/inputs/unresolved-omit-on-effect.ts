import { at } from '../../shape/view.js'
import { changesSomething } from '../facts/effects.js'
import type { Rule } from '../rule.js'

export const unresolvedOmitOnEffect = {
  code: 'SVC2421',
  slug: 'unresolved-omit-on-effect',
  severity: 'warning',
  source: 'L',
  section: '2.6',
  description: 'A capability that changes something does not drop an unresolved value.',
  why: "The caller's wish would vanish in silence.",
  needs: 'resolution',
  ofInput({ capability, input: { resolution } }, report) {
    if (resolution?.on_unresolved !== 'omit' || !changesSomething(capability)) return
    report(
      at(resolution, 'on_unresolved'),
      `\`on_unresolved: omit\` on a \`${capability.side_effect!.type}\` drops the caller's wish in silence; ` +
        'clarify or deny.',
    )
  },
} satisfies Rule
