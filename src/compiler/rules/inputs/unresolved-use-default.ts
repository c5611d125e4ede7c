import { at, isAbsent } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { has, says, some, when } from '../schema-part.js'

export const unresolvedUseDefault = {
  code: 'SVC2423',
  slug: 'unresolved-use-default',
  severity: 'error',
  source: 'S',
  section: '2.6 r2',
  description: '`on_unresolved: use_default` and `on_ambiguous: use_default` require a default.',
  schema: {
    input: when(
      says({ resolution: some(says({ on_unresolved: 'use_default' }), says({ on_ambiguous: 'use_default' })) }),
      has('default'),
    ),
  },
  needs: 'resolution',
  ofInput({ input }, report) {
    const { resolution } = input
    if (resolution === undefined || resolution.on_missing === 'use_default' || !isAbsent(input, 'default')) return
    for (const behaviour of ['on_unresolved', 'on_ambiguous'] as const)
      if (resolution[behaviour] === 'use_default')
        report(
          at(resolution, behaviour),
          `\`${behaviour}: use_default\` needs a default, and the input \`${input.name}\` has none.`,
        )
  },
} satisfies Rule
