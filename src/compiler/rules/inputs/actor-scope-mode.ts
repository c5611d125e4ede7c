import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const actorScopeMode = {
  code: 'SVC2412',
  slug: 'actor-scope-mode',
  severity: 'warning',
  source: 'D',
  section: '2.6',
  description: '`use_actor_scope` stands with an actor policy mode.',
  needs: 'resolution',
  ofInput({ input: { resolution } }, report) {
    const mode = resolution?.mode
    if (mode === undefined || mode.startsWith('actor_policy') || mode === 'explicit_only') return
    for (const behaviour of ['on_missing', 'on_ambiguous', 'on_unresolved'] as const)
      if (resolution![behaviour] === 'use_actor_scope')
        report(at(resolution!, behaviour), `\`use_actor_scope\` fits the actor policy modes, not \`${mode}\`.`)
  },
} satisfies Rule
