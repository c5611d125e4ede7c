import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const clarifyModeContradiction = {
  code: 'SVC2415',
  slug: 'clarify-mode-contradiction',
  severity: 'error',
  source: 'D',
  section: '2.6',
  law: 'Mode `clarify` does not deny what is missing.',
  needs: 'resolution',
  ofInput({ input: { resolution } }, tell) {
    if (resolution?.mode !== 'clarify' || resolution.on_missing !== 'deny') return
    tell(
      at(resolution, 'on_missing'),
      'The mode `clarify` asks for what is missing, and `on_missing: deny` refuses it; they contradict each other.',
    )
  },
} satisfies Rule
