/** What a manifest leaves out is filled in, and what it may write shortly is spelt out. */
import { expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'

const HEAD = 'manifest_metadata: { version: "0.24.0" }\nservice_identity: { id: shop }\ntrust: { level: signed }\n'
function manifestOf(text: string) {
  const { manifest, diagnostics } = check([{ file: 'svc.yaml', text }], { preset: 'minimal', now: 0 })
  expect(diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([])
  return JSON.parse(JSON.stringify(manifest)) as {
    readonly limits: object
    readonly approvals: object
    readonly capabilities: { readonly [name: string]: { readonly [member: string]: unknown } }
  }
}
const capability = (more: string, name = 'order'): string => `  ${name}:
    description: Orders bread for a customer.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [shop.order]
${more}`
const PLAIN = capability('    inputs: []\n    output: { type: order, fields: [a] }\n')

it('of a whole manifest', () => {
  expect(manifestOf(`${HEAD}capabilities:\n${PLAIN}`)).toEqual({
    manifest_metadata: { version: '0.24.0' },
    service_identity: { id: 'shop' },
    trust: { level: 'signed' },
    limits: { max_delegation_depth: 3, default_ttl_hours: 2, max_ttl_hours: 24 },
    approvals: { request_ttl: 'PT24H', denial_holds: 'PT10M', allow_agents: false, separation_of_duties: true },
    capabilities: {
      order: {
        description: 'Orders bread for a customer.',
        contract_version: '1.0.0',
        side_effect: { type: 'read' },
        minimum_scope: ['shop.order'],
        inputs: [],
        output: { type: 'order', fields: [{ name: 'a', type: 'any' }] },
        kind: 'atomic',
        response_modes: ['unary'],
      },
    },
  })
})

it('of limits and approvals, one by one', () => {
  const { limits, approvals } = manifestOf(`${HEAD}limits: { default_ttl_hours: 5 }\napprovals: { allow_agents: true }\ncapabilities:\n${PLAIN}`) // prettier-ignore
  expect(limits).toEqual({ max_delegation_depth: 3, default_ttl_hours: 5, max_ttl_hours: 24 })
  expect(approvals).toEqual({ request_ttl: 'PT24H', denial_holds: 'PT10M', allow_agents: true, separation_of_duties: true }) // prettier-ignore
})

it.each([
  ['{ name: a, type: string }', { name: 'a', type: 'string', required: true }],
  ['{ name: a, type: string, required: false }', { name: 'a', type: 'string', required: false }],
  ['{ name: a, type: string, input_meanings: { x: An x. } }', { name: 'a', type: 'string', required: true, input_meanings: [{ value: 'x', label: 'An x.' }] }],
  ['{ name: a, type: integer, input_meanings: { "1": One., "01": Odd. } }', { name: 'a', type: 'integer', required: true, input_meanings: [{ value: 1, label: 'One.' }, { value: '01', label: 'Odd.' }] }],
  ['{ name: a, type: number, input_meanings: { "1.5": More. } }', { name: 'a', type: 'number', required: true, input_meanings: [{ value: 1.5, label: 'More.' }] }],
  ['{ name: a, type: boolean, input_meanings: { "true": Yes., "false": No. } }', { name: 'a', type: 'boolean', required: true, input_meanings: [{ value: true, label: 'Yes.' }, { value: false, label: 'No.' }] }],
  ['{ name: a, type: string, input_meanings: [{ value: x, label: X, description: Y. }] }', { name: 'a', type: 'string', required: true, input_meanings: [{ value: 'x', label: 'X', description: 'Y.' }] }],
])('of the input %s', (input, wanted) => {
  const text = capability(`    inputs: [${input}]\n    output: { type: order, fields: [a] }\n`)
  expect(manifestOf(`${HEAD}capabilities:\n${text}`).capabilities['order']!['inputs']).toEqual([wanted])
}) // prettier-ignore

it.each([
  ['a', { name: 'a', type: 'any' }],
  ['{ name: a }', { name: 'a', type: 'any' }],
  ['{ name: a, type: number }', { name: 'a', type: 'number' }],
  ["{ name: a, type: [string, 'null'] }", { name: 'a', type: 'string', nullable: true }],
  ["{ name: a, type: ['null', string] }", { name: 'a', type: 'string', nullable: true }],
])('of the output field %s', (field, wanted) => {
  const text = capability(`    inputs: []\n    output: { type: order, fields: [${field}] }\n`)
  expect(manifestOf(`${HEAD}capabilities:\n${text}`).capabilities['order']!['output']).toEqual({ type: 'order', fields: [wanted] }) // prettier-ignore
})

it.each([
  ['failure_policy: propagate', { child_clarification: 'propagate', child_denial: 'propagate', child_approval_required: 'propagate', child_error: 'propagate' }],
  ['failure_policy: fail_parent', { child_clarification: 'fail_parent', child_denial: 'fail_parent', child_approval_required: 'fail_parent', child_error: 'fail_parent' }],
  ['failure_policy: { child_denial: fail_parent }', { child_clarification: 'propagate', child_denial: 'fail_parent', child_approval_required: 'propagate', child_error: 'fail_parent' }],
])('of a composition with `%s`', (policy, wanted) => {
  const composed = capability(`    kind: composed
    inputs: []
    output: { type: order, fields: [a] }
    composition:
      authority_boundary: same_service
      steps: [{ id: one, capability: order }]
      input_mapping: {}
      output_mapping: { a: $.steps.one.output.a }
      audit_policy: { record_child_invocations: true, parent_task_lineage: true }
      ${policy}
`, 'both')
  const { composition } = manifestOf(`${HEAD}capabilities:\n${PLAIN}${composed}`).capabilities['both']!
  expect(composition).toMatchObject({ failure_policy: wanted })
}) // prettier-ignore

it('of principals, modes and extensions', () => {
  const text = capability('    inputs: []\n    output: { type: order, fields: [a] }\n    requires_principal: human\n    response_modes: [streaming]\n    x-title: Order\n    x-own: { a: [1] }\n') // prettier-ignore
  expect(manifestOf(`${HEAD}x-of-all: 1\ncapabilities:\n${text}`)).toMatchObject({
    extensions: { 'x-of-all': 1 },
    capabilities: { order: { requires_principal: ['human'], response_modes: ['streaming'], extensions: { 'x-title': 'Order', 'x-own': { a: [1] } } } },
  })
}) // prettier-ignore
