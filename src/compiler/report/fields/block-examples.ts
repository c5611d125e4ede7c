/** A block in a whole, with what happens when it runs; for the reference and for `svc explain`. */
export interface BlockExample {
  readonly title: string
  readonly yaml: string
  readonly text: readonly string[]
}

/** Block -> its example. A test holds each to the rules. */
export const BLOCK_EXAMPLES: { readonly [block: string]: BlockExample } = {
  composition: {
    title: 'A composition that quotes for itself and then orders',
    yaml: `buy:
  description: Quotes an item and orders it at that price, in one call.
  contract_version: 1.0.0
  kind: composed
  side_effect: { type: irreversible }
  minimum_scope: [purchase.read, purchase.write]
  inputs:
    - { name: item, type: string, description: What is bought. }
    - { name: limit, type: number, description: The most that this call may cost in EUR. }
  output: { type: purchase, fields: [purchase_id] }
  cost:
    certainty: dynamic
    financial: { currency: EUR, upper_bound: 5000, x-amount-input: limit }
  control_requirements: [{ type: cost_ceiling }]
  observability: { fields_logged: [item, limit] }
  verify_via: [get_purchase]
  composition:
    authority_boundary: same_service
    steps:
      - { id: ask, capability: quote_purchase }
      - { id: place, capability: place_purchase }
    input_mapping:
      ask: { item: $.input.item }
      place: { quote_id: $.steps.ask.output.quote_id }
    output_mapping: { purchase_id: $.steps.place.output.purchase_id }
    failure_policy: propagate
    audit_policy: { record_child_invocations: true, parent_task_lineage: true }
`,
    text: [
      '`place_purchase` has an estimated cost and a binding: it needs a quote, which only the first step makes. So `buy` ' +
        'itself has no price before it runs, and no binding. It declares a `dynamic` cost. Without `x-amount-input`, each ' +
        'budget must cover `upper_bound`, 5000 EUR. With `x-amount-input: limit` the caller says the most that this call ' +
        'may cost: that is checked against the budget and held.',
      'Ana’s agent has 2000 EUR and calls `buy` with `limit: 1900`. The quote is 1800 EUR: it buys, 1800 EUR are spent, ' +
        'and 100 are free again. For a quote of 1950 EUR nothing is ordered: the call is `invalid_parameters`, and names ' +
        '`limit` and the price. With `limit: 2500` it is `budget_exceeded` before anything runs.',
      '`place_purchase` needs an approval above 1000 EUR. `buy` needs none of its own: the step pauses the whole, which ' +
        'answers `approval_required`. Called again with the grant and the same parameters, it goes on at that step, with ' +
        'the quote that was approved; `quote_purchase` does not run again. An approval of `buy` besides would ask the ' +
        'person twice.',
    ],
  },
}
