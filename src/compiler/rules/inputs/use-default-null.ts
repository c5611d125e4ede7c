import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { members, none, says, some, when } from '../schema-part.js'

const BEHAVIOURS = ['on_missing', 'on_ambiguous', 'on_unresolved'] as const

export const useDefaultNull = {
  code: 'SVC2405',
  slug: 'use-default-null',
  severity: 'error',
  source: 'D',
  section: '2.6 r2',
  description: 'A default that is used is not null.',
  schema: {
    input: when(
      says({ resolution: some(...BEHAVIOURS.map((behaviour) => says({ [behaviour]: 'use_default' }))) }),
      members({ default: none({ type: 'null' }) }),
    ),
  },
  needs: 'resolution',
  ofInput({ input }, report) {
    if (input.default !== null || !BEHAVIOURS.some((each) => input.resolution?.[each] === 'use_default')) return
    report(at(input, 'default'), '`use_default` would use null; write a value.')
  },
} satisfies Rule
