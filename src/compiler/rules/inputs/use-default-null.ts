import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const useDefaultNull = {
  code: 'SVC2405',
  slug: 'use-default-null',
  severity: 'error',
  source: 'D',
  section: '2.6 r2',
  description: 'A default that is used is not null.',
  needs: 'resolution',
  ofInput({ input }, report) {
    const behaviours = [input.resolution?.on_missing, input.resolution?.on_ambiguous, input.resolution?.on_unresolved]
    if (input.default !== null || !behaviours.includes('use_default')) return
    report(at(input, 'default'), '`use_default` would use null; write a value.')
  },
} satisfies Rule
