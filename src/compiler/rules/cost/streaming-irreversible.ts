import { itemAt, isAbsent } from '../../shape/view.js'
import { isIrreversible } from '../facts/effects.js'
import type { Rule } from '../rule.js'

export const streamingIrreversible = {
  code: 'SVC2708',
  slug: 'streaming-irreversible',
  severity: 'info',
  source: 'L',
  section: '2.4',
  description: 'An irreversible action that streams can be verified.',
  why: 'A broken stream leaves the outcome unknown.',
  needs: 'response_modes',
  ofCapability({ capability }, report) {
    const modes = capability.response_modes
    if (modes?.includes('streaming') !== true || !isIrreversible(capability) || !isAbsent(capability, 'verify_via'))
      return
    report(
      itemAt(modes, modes.indexOf('streaming')),
      'A broken stream of an irreversible action leaves its outcome unknown; add `verify_via`.',
    )
  },
} satisfies Rule
