import { check } from '../../../src/compiler/check.js'
import type { Manifest } from '../../../src/protocol/manifest.js'

/** A value that a test changes at will. */
export interface Loose {
  [name: string]: Loose
  [index: number]: Loose
}

/** A manifest in which every field that the comparison knows has a value. */
export const base = (): Loose =>
  structuredClone({
    manifest_metadata: { version: '0.24.0' },
    service_identity: { id: 'shop', name: 'Shop', description: 'Sells bread.' },
    trust: { level: 'anchored', anchoring: { cadence: 'hourly' } },
    metadata_disclosure: { caller_class: { internal: 'full', default: 'redacted' }, failure_detail: 'policy' },
    limits: { max_delegation_depth: 3, default_ttl_hours: 2, max_ttl_hours: 24 },
    approvals: { approver_scope: 'shop.approver', request_ttl: 'PT24H', separation_of_duties: true, allow_agents: false },
    capabilities: {
      quote: {
        description: 'Quote the price of an order.',
        contract_version: '1.2.3',
        side_effect: { type: 'read' },
        minimum_scope: ['shop.read'],
        inputs: [
          { name: 'loaves', type: 'integer', description: 'How many loaves.' },
          {
            name: 'kind',
            type: 'string',
            required: false,
            default: 'rye',
            description: 'What bread.',
            semantic_type: 'bread',
            allowed_values: ['rye', 'spelt'],
            input_meanings: [{ value: 'rye', label: 'Dark bread' }],
            resolution: { mode: 'closed_values', on_missing: 'use_default', on_unresolved: 'deny' },
          },
          {
            name: 'customer',
            type: 'string',
            description: 'Who orders.',
            entity_reference: false,
            catalog_ref: 'customers',
            resolution: { mode: 'backend_resolved', resolver_ref: 'customers', on_missing: 'clarify', on_ambiguous: 'clarify' },
          },
        ],
        output: { type: 'quote', fields: [{ name: 'quote_id', type: 'string', description: 'The quote.' }, { name: 'price', type: 'number' }] },
        response_modes: ['unary'],
        'x-failures': { sold_out: 'There is no bread left.' },
      },
      order: {
        description: 'Order bread at the quoted price.',
        contract_version: '2.0.0',
        side_effect: { type: 'transactional', rollback_window: 'PT24H', compensation: 'cancel' },
        minimum_scope: ['shop.order', 'shop.read'],
        requires_principal: ['human', 'agent'],
        inputs: [
          { name: 'quote_id', type: 'string', description: 'The quote.' },
          { name: 'amount', type: 'number', description: 'How much to pay.' },
        ],
        output: { type: 'order', fields: [{ name: 'order_id', type: 'string' }, { name: 'state', type: 'string' }] },
        cost: {
          certainty: 'estimated',
          financial: { currency: 'EUR', range_min: 5, range_max: 50, typical: 10 },
          determined_by: 'quote',
          compute: { expected_duration: 'PT1S' },
        },
        requires: [{ capability: 'quote', reason: 'It fixes the price.' }],
        requires_binding: [{ type: 'quote', field: 'quote_id', source_capability: 'quote', max_age: 'PT15M' }],
        control_requirements: [{ type: 'cost_ceiling' }],
        business_effects: { produces: ['order.made'], does_not_produce: ['invoice.sent'] },
        approval: {
          required: { when: [{ input: 'amount', above: 100 }] },
          grant_policy: { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 600, max_uses: 1 },
        },
        observability: { logged: true, retention: 'P90D', fields_logged: ['amount'] },
        refresh_via: ['quote'],
        verify_via: ['read_order'],
        cross_service: { followup_via: [{ service: 'post', capability: 'send' }] },
        'x-failures': { oven_cold: { status: 409, description: 'The oven is cold.' } },
      },
      cancel: capability('write', 'Take an order back.'),
      read_order: capability('read', 'Read an order.'),
      day: {
        ...capability('read', 'Read the orders of a day.'),
        kind: 'composed',
        composition: {
          authority_boundary: 'same_service',
          steps: [{ id: 'first', capability: 'read_order', empty_result_source: true, empty_result_path: '$.order_id' }],
          input_mapping: { first: { order_id: '$.input.order_id' } },
          output_mapping: { order_id: '$.steps.first.output.order_id' },
          failure_policy: 'propagate',
          empty_result_policy: 'return_success_no_results',
          empty_result_output: { order_id: null },
          audit_policy: { record_child_invocations: true, parent_task_lineage: true },
        },
      },
    },
  }) as unknown as Loose // prettier-ignore

function capability(type: string, description: string) {
  return {
    description,
    contract_version: '1.0.0',
    side_effect: { type },
    minimum_scope: ['shop.read'],
    inputs: [{ name: 'order_id', type: 'string', description: 'The order.' }],
    output: { type: 'order', fields: ['order_id'] },
  }
}

/** The manifest of a text; fails with its errors. */
export function manifestOf(text: string): Manifest {
  const { manifest, diagnostics } = check([{ file: 'svc.yaml', text }], { preset: 'minimal' })
  if (manifest !== undefined) return manifest
  throw new Error(diagnostics.map(({ code, message, path }) => `${code} ${path}: ${message}`).join('\n'))
}
