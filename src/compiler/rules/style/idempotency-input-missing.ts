import { at, hasAllItems } from '../../shape/view.js'
import { isIrreversible } from '../facts/effects.js'
import type { Rule } from '../rule.js'

const REFERENCES = /(?:^|_)(?:idempotency|reference|request|quote|order|booking|transaction|offer|id)(?:_|$)/u

export const idempotencyInputMissing = {
  code: 'SVC6013',
  slug: 'idempotency-input-missing',
  severity: 'info',
  source: 'L',
  section: '2.4',
  description: 'An irreversible action has an input that identifies the request.',
  why: 'A repeated call can then be told from a second one.',
  ofCapability({ capability }, report) {
    if (!isIrreversible(capability) || capability.inputs === undefined || !hasAllItems(capability.inputs)) return
    if (capability.inputs.some(({ name }) => name === undefined || REFERENCES.test(name))) return
    report(
      at(capability.side_effect!, 'type'),
      '`irreversible` without an input that identifies the request: a repeated call cannot be told from a second one.',
    )
  },
} satisfies Rule
