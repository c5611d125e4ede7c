import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const appSelectMode = {
  code: 'SVC2413',
  slug: 'app-select-mode',
  severity: 'warning',
  source: 'D',
  section: '2.6',
  description: '`app_select_or_clarify` stands with `app_selected`.',
  needs: 'resolution',
  ofInput({ input: { resolution } }, report) {
    const mode = resolution?.mode
    if (mode === undefined || mode === 'app_selected') return
    for (const behaviour of ['on_missing', 'on_ambiguous', 'on_unresolved'] as const)
      if (
        resolution![behaviour] === 'app_select_or_clarify' &&
        !(mode === 'explicit_only' && behaviour === 'on_missing')
      )
        report(at(resolution!, behaviour), `\`app_select_or_clarify\` fits \`app_selected\`, not \`${mode}\`.`)
  },
} satisfies Rule
