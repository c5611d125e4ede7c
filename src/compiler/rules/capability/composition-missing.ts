import { at, isAbsent } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { has, says, when } from '../schema-part.js'

export const compositionMissing = {
  code: 'SVC2007',
  slug: 'composition-missing',
  severity: 'error',
  source: 'S',
  section: '2.4',
  description: '`kind: composed` has a `composition`.',
  schema: { capability: when(says({ kind: 'composed' }), has('composition')) },
  ofCapability({ capability }, report) {
    if (capability.kind !== 'composed' || !isAbsent(capability, 'composition')) return
    report(at(capability, 'kind'), '`kind: composed` needs a `composition` with its steps.')
  },
} satisfies Rule
