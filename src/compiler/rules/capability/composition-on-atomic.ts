import { at, keyOf, isAbsent } from '../../shape/view.js'
import { replace } from '../../finding.js'
import type { Rule } from '../rule.js'
import { has, says, when } from '../schema-part.js'

export const compositionOnAtomic = {
  code: 'SVC2008',
  slug: 'composition-on-atomic',
  severity: 'error',
  source: 'D',
  section: '2.4',
  description: '`composition` stands only with `kind: composed`.',
  schema: { capability: when(has('composition'), says({ kind: 'composed' })) },
  ofCapability({ capability, written }, report) {
    const { kind, composition } = capability
    if (composition === undefined || kind === 'composed') return
    const key = keyOf(capability, 'composition')
    if (kind === undefined && !isAbsent(capability, 'kind')) return
    const fix =
      kind === 'atomic'
        ? replace(at(capability, 'kind'), 'composed')
        : replace(
            { start: key.start, end: key.start },
            `kind: composed${written({ start: key.start - 1, end: key.start }) === ' ' ? '\n    ' : ', '}`,
          )
    report(key, '`composition` is set, but `kind` is atomic; write `kind: composed`, or remove the composition.', {
      suggestion: 'kind: composed',
      fix,
    })
  },
} satisfies Rule
