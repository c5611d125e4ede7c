import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { members, none, says, when } from '../schema-part.js'

export const clarifyModeContradiction = {
  code: 'SVC2415',
  slug: 'clarify-mode-contradiction',
  severity: 'error',
  source: 'D',
  section: '2.6',
  description: 'Mode `clarify` does not deny what is missing.',
  schema: { resolution: when(says({ mode: 'clarify' }), members({ on_missing: none({ const: 'deny' }) })) },
  needs: 'resolution',
  ofInput({ input: { resolution } }, report) {
    if (resolution?.mode !== 'clarify' || resolution.on_missing !== 'deny') return
    report(
      at(resolution, 'on_missing'),
      'The mode `clarify` asks for what is missing, and `on_missing: deny` refuses it; they contradict each other.',
    )
  },
} satisfies Rule
