import { BLOCK_EXAMPLES } from '../../src/compiler/report/fields/block-examples.js'

/** What the example of a composition calls. */
const AROUND = `# yaml-language-server: $schema=./node_modules/svc-kit/schemas/manifest.schema.json
manifest_metadata: { version: "0.24.0" }
service_identity: { id: shop }
trust: { level: signed }
capabilities:
  get_purchase:
    description: Reads a purchase by its id and returns its state.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [purchase.read]
    inputs: [{ name: purchase_id, type: string, description: The purchase. }]
    output: { type: purchase, fields: [state] }
  quote_purchase:
    description: Quotes the price of an item and holds it for a while.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [purchase.read]
    inputs: [{ name: item, type: string, description: What is bought. }]
    output: { type: quote, fields: [quote_id] }
  place_purchase:
    description: Orders what was quoted, at the price of the quote.
    contract_version: 1.0.0
    side_effect: { type: irreversible }
    minimum_scope: [purchase.write]
    inputs: [{ name: quote_id, type: string, description: The quote. }]
    output: { type: purchase, fields: [purchase_id] }
    cost: { certainty: estimated, financial: { currency: EUR, range_min: 1, range_max: 5000 }, determined_by: quote_id }
    requires_binding: [{ type: purchase_quote, field: quote_id, source_capability: quote_purchase, max_age: PT15M }]
    refresh_via: [quote_purchase]
    control_requirements: [{ type: cost_ceiling }]
    observability: { fields_logged: [quote_id] }
    verify_via: [get_purchase]
    approval:
      required: { when: [{ cost: { above: 1000 } }] }
      grant_policy: { allowed_grant_types: [one_time], default_grant_type: one_time, expires_in_seconds: 900, max_uses: 1 }
`

/** The example of a composition in the reference, whole: it quotes for itself and then orders. */
export const BUY = `${AROUND}${BLOCK_EXAMPLES['composition']!.yaml.replaceAll(/^(?=.)/gmu, '  ')}`
