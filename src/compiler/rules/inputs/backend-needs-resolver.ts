import { at, isAbsent } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { has, members, says, some, when } from '../schema-part.js'

export const backendNeedsResolver = {
  code: 'SVC2408',
  slug: 'backend-needs-resolver',
  severity: 'error',
  source: 'D',
  section: '2.6',
  description: '`backend_resolved` names a resolver or a catalog.',
  schema: {
    input: when(
      says({ resolution: says({ mode: 'backend_resolved' }) }),
      some(has('catalog_ref'), members({ resolution: has('resolver_ref') })),
    ),
  },
  needs: 'resolution',
  ofInput({ input }, report) {
    if (
      input.resolution?.mode !== 'backend_resolved' ||
      !isAbsent(input.resolution, 'resolver_ref') ||
      !isAbsent(input, 'catalog_ref')
    )
      return
    report(at(input.resolution, 'mode'), '`backend_resolved` needs `resolver_ref` or `catalog_ref`.')
  },
} satisfies Rule
