import { keyOf } from '../../shape/view.js'
import type { Rule } from '../rule.js'

const RESOLVING = new Set(['backend_resolved', 'actor_policy', 'actor_policy_or_explicit', 'app_selected', 'clarify'])

export const resolverUnused = {
  code: 'SVC2417',
  slug: 'resolver-unused',
  severity: 'warning',
  source: 'D',
  section: '2.6',
  description: '`resolver_ref` stands with a mode that resolves.',
  needs: 'resolution',
  ofInput({ input: { resolution } }, report) {
    if (resolution?.resolver_ref === undefined || resolution.mode === undefined || RESOLVING.has(resolution.mode))
      return
    report(
      keyOf(resolution, 'resolver_ref'),
      `\`resolver_ref\` has no effect with the mode \`${resolution.mode}\`; remove it.`,
    )
  },
} satisfies Rule
