import { keyOf } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const defaultRestated = {
  code: 'SVC2010',
  slug: 'default-restated',
  severity: 'info',
  source: 'L',
  section: '2.4',
  description: 'A default is not written out.',
  why: 'What is written stands out.',
  ofCapability({ capability }, report) {
    if (capability.kind === 'atomic') report(keyOf(capability, 'kind'), '`kind: atomic` is the default; remove it.')
    const modes = capability.response_modes
    if (modes?.length === 1 && modes[0] === 'unary')
      report(keyOf(capability, 'response_modes'), '`response_modes: [unary]` is the default; remove it.')
    for (const input of capability.inputs ?? [])
      if (input.required === true) report(keyOf(input, 'required'), '`required: true` is the default; remove it.')
  },
} satisfies Rule
