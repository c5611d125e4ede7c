import { at, isAbsent } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { has, says, when } from '../schema-part.js'

export const useDefaultNeedsDefault = {
  code: 'SVC2404',
  slug: 'use-default-needs-default',
  severity: 'error',
  source: 'S',
  section: '2.6 r2',
  description: '`on_missing: use_default` requires a default.',
  schema: { input: when(says({ resolution: says({ on_missing: 'use_default' }) }), has('default')) },
  needs: 'resolution',
  ofInput({ input }, report) {
    if (input.resolution?.on_missing !== 'use_default' || !isAbsent(input, 'default')) return
    report(
      at(input.resolution, 'on_missing'),
      `\`on_missing: use_default\` needs a default, and the input \`${input.name}\` has none.`,
    )
  },
} satisfies Rule
