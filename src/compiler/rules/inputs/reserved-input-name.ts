import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { members, none } from '../schema-part.js'

const RESERVED = new Set([
  'approval_grant',
  'task_id',
  'client_reference_id',
  'parent_invocation_id',
  'upstream_service',
  'idempotency_key',
])

export const reservedInputName = {
  code: 'SVC2318',
  slug: 'reserved-input-name',
  severity: 'error',
  source: 'D',
  section: '4.6,5.2',
  description: 'An input has no name that surfaces use for themselves.',
  why: 'Tool surfaces carry these beside the parameters.',
  schema: { input: members({ name: none({ enum: [...RESERVED] }) }) },
  ofInput({ input }, report) {
    if (input.name === undefined || !RESERVED.has(input.name)) return
    report(at(input, 'name'), `\`${input.name}\` is a reserved parameter of every invocation; choose another name.`)
  },
} satisfies Rule
