const CONTRACT_STEPS =
  '[{ target: { service: billing, capability: pay_invoice }, continuity: same_task, completion_mode: followup_status }]'

/** Examples of fields, in YAML on one line, for those whose kind or format has none: block -> field -> its value. */
export const FIELD_EXAMPLES: { readonly [block: string]: { readonly [field: string]: string } } = {
  manifest: {
    manifest_metadata: "{ version: '0.24.0' }",
    service_identity: '{ id: orders, name: Orders }',
    trust: '{ level: signed }',
    metadata_disclosure: '{ failure_detail: redacted }',
    limits: '{ max_ttl_hours: 24 }',
    approvals: '{ approver_scope: orders.approver, request_ttl: PT4H }',
    capabilities:
      '{ read_order: { description: Read a placed order., contract_version: 1.0.0, side_effect: { type: ' +
      'read }, minimum_scope: [orders.read], inputs: [], output: { type: order, fields: [order_id] } } }',
  },
  'service identity': {
    name: 'Orders',
    description: 'Price orders of several lines, and place them within a budget.',
  },
  trust: { anchoring: '{ cadence: hourly }' },
  limits: { max_delegation_depth: '3', default_ttl_hours: '2', max_ttl_hours: '24' },
  capability: {
    description: 'Price an order of several lines, and quote that price for 15 minutes.',
    side_effect: '{ type: read }',
    inputs: '[{ name: order_id, type: string, description: The order. }]',
    output: '{ type: order, fields: [order_id] }',
    cost: '{ certainty: fixed, financial: { currency: EUR, amount: 5 } }',
    requires: '[{ capability: price_order, reason: An order needs a quote. }]',
    composition:
      '{ authority_boundary: same_service, steps: [{ id: price, capability: price_order }], input_mapping: ' +
      '{ price: { order: $.input.order } }, output_mapping: { quote_id: $.steps.price.output.quote_id }, ' +
      'failure_policy: propagate, audit_policy: { record_child_invocations: true, parent_task_lineage: ' +
      'true } }',
    business_effects: '{ produces: [order] }',
    requires_binding: '[{ type: order_quote, field: quote_id, source_capability: price_order, max_age: PT15M }]',
    control_requirements: '[{ type: cost_ceiling, enforcement: reject }]',
    requires_principal: 'human',
    approval:
      '{ required: always, grant_policy: { allowed_grant_types: [one_time], default_grant_type: one_time, ' +
      'expires_in_seconds: 900, max_uses: 1 } }',
    observability: '{ logged: true, retention: P2Y, fields_logged: [quote_id] }',
    refresh_via: '[price_order]',
    verify_via: '[read_order]',
    'x-upstream': '{ answers: strict }',
    cross_service: '{ handoff_to: [{ service: billing, capability: pay_invoice }] }',
    cross_service_contract:
      '{ handoff: [{ target: { service: billing, capability: pay_invoice }, continuity: same_task, ' +
      'completion_mode: downstream_acceptance }] }',
    composes_with: '[{ capability: read_order }]',
    session: '{ type: stateless }',
  },
  'side effect': { compensation: 'cancel_order' },
  input: {
    default: 'economy',
    description: 'A quote of price_order.',
    allowed_values: '[economy, business]',
    input_meanings: '{ economy: The cheapest seats. }',
    resolution: '{ mode: explicit_only }',
  },
  'input meaning': {
    value: 'PRIO',
    label: 'Priority',
    description: 'It arrives the next day, and costs twice as much.',
  },
  output: { fields: "[order_id, { name: total, type: object, x-schema: { $ref: '#/x-schemas/Money' } }]" },
  'output field': {
    type: 'string',
    description: 'What place_order takes.',
    'x-schema': "{ $ref: '#/x-schemas/Money' }",
  },
  cost: {
    financial: '{ currency: EUR, amount: 5 }',
    compute: '{ expected_duration: PT2S }',
    determined_by: 'price_order',
    factors: '[demand]',
    rate_limit: '{ requests_per_minute: 60 }',
  },
  'financial cost': { amount: '5', upper_bound: '150', range_min: '1', range_max: '5000', typical: '120' },
  prerequisite: { capability: 'price_order', reason: 'An order needs a quote.' },
  composition: {
    steps: '[{ id: price, capability: price_order }]',
    failure_policy: 'propagate',
    empty_result_output: '{ flights: [] }',
    audit_policy: '{ record_child_invocations: true, parent_task_lineage: true }',
  },
  'business effects': { produces: '[order]', does_not_produce: '[payment]' },
  'binding requirement': { field: 'quote_id', source_capability: 'price_order' },
  approval: {
    required: '{ when: [{ cost: { above: 500 } }] }',
    grant_policy:
      '{ allowed_grant_types: [one_time], default_grant_type: one_time, expires_in_seconds: 900, max_uses: 1 }',
    approvers: '2',
    tiers: '[{ cost_above: 10000, approver_scope: finance.approver }]',
    preview: 'must_hold',
  },
  'approval requirement': { when: '[{ input: days, above: 30 }, { cost: { above: 500 } }]' },
  'approval condition': {
    input: 'days',
    cost: '{ above: 500 }',
    equals: 'express',
    not_equals: 'DE',
    in: '[US, GB]',
    above: '30',
    at_least: '31',
    below: '2030-01-01',
    at_most: 'P30D',
  },
  'condition on cost': { above: '500', at_least: '500' },
  'grant policy': { expires_in_seconds: '900', max_uses: '1' },
  'approval tier': { cost_above: '10000' },
  observability: { fields_logged: '[quote_id]', audit_accessible_by: '[delegation.root_principal]' },
  'upstream terms': { answers: 'loose', slashes: '[quote_id]', connection: 'mail' },
  'cross-service hints': {
    handoff_to: '[{ service: billing, capability: pay_invoice }]',
    refresh_via: '[{ service: billing, capability: read_invoice }]',
    verify_via: '[{ service: billing, capability: read_invoice }]',
    followup_via: '[{ service: billing, capability: send_receipt }]',
  },
  'service capability reference': { service: 'billing', capability: 'pay_invoice' },
  'cross-service contract': { handoff: CONTRACT_STEPS, followup: CONTRACT_STEPS, verification: CONTRACT_STEPS },
  'contract step': { target: '{ service: billing, capability: pay_invoice }' },
  'companion capability': { capability: 'read_order' },
}
