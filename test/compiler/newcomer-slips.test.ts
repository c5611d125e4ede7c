import { expect, it } from 'vitest'
import { schemaJudge } from '../../src/cli/validate/schema-judge.js'
import { check } from '../../src/compiler/check.js'

const judge = schemaJudge()

/** A composition that quotes and orders, valid as it is. */
const MANIFEST = `# yaml-language-server: $schema=./node_modules/svc-kit/schemas/manifest.schema.json
manifest_metadata: { version: "0.24.0" }
service_identity: { id: shop }
trust: { level: signed }
x-schemas:
  Money: { type: object, properties: { currency: { type: string }, amount: { type: number } }, required: [currency, amount], additionalProperties: false }
  Line: { type: object, properties: { price: { $ref: '#/x-schemas/Money' } }, required: [price], additionalProperties: false }
capabilities:
  quote:
    description: Quotes the price of an order for a supplier.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [shop.read]
    inputs:
      - { name: supplier, type: string, description: The supplier. }
      - name: line
        type: object
        description: What is ordered.
        x-schema: { $ref: '#/x-schemas/Line' }
    output: { type: quote, fields: [{ name: quote_id, type: string }, { name: price, type: object, x-schema: { $ref: '#/x-schemas/Money' } }] }
  report:
    description: Reports on what an order costs at a supplier.
    contract_version: 1.0.0
    kind: composed
    side_effect: { type: read }
    minimum_scope: [shop.read]
    inputs:
      - { name: supplier, type: string, description: The supplier. }
      - { name: line, type: object, description: What is ordered., x-schema: { $ref: '#/x-schemas/Line' } }
    output: { type: report, fields: [{ name: quote_id, type: string }] }
    composition:
      authority_boundary: same_service
      steps: [{ id: ask, capability: quote }]
      input_mapping: { ask: { supplier: $.input.supplier, line: $.input.line } }
      output_mapping: { quote_id: $.steps.ask.output.quote_id }
      failure_policy: propagate
      audit_policy: { record_child_invocations: true, parent_task_lineage: true }
`
const READ = '    minimum_scope: [shop.read]\n    inputs:\n'
const LINE = "        x-schema: { $ref: '#/x-schemas/Line' }\n"
const OF_MONEY = "price: { $ref: '#/x-schemas/Money' }"

/** The manifest with one slip in it. */
function slipped(before: string, after: string): string {
  expect(MANIFEST).toContain(before)
  return MANIFEST.replace(before, () => after)
}

it('finds nothing without a slip', () => {
  expect(check([{ file: 'svc.yaml', text: MANIFEST }]).diagnostics).toEqual([])
})

it.each([
  [
    'an amount for a cost',
    READ,
    `    cost: 200\n${READ}`,
    ['SVC0203 `cost` must be a mapping; write `{ certainty: fixed, financial: { currency: EUR, amount: 200 } }`.'],
  ],
  [
    'an amount of a currency for a cost',
    READ,
    `    cost: 12.50 USD\n${READ}`,
    ['SVC0203 `cost` must be a mapping; write `{ certainty: fixed, financial: { currency: USD, amount: 12.50 } }`.'],
  ],
  [
    'a schema that is written out in an input',
    LINE,
    '        properties:\n          sku: { type: string }\n        required: [sku]\n',
    [
      'SVC0210 `inputs[1]` has no field `properties`. It belongs inside `x-schema`: `x-schema: { properties: … }`.',
      'SVC0210 `required` says true or false here: whether the input must be given. The list of members that must be there ' +
        'belongs inside `x-schema`: `x-schema: { required: [sku] }`.',
    ],
  ],
  [
    'a condition without its list',
    READ,
    '    approval: { required: { above: 1000 }, grant_policy: { allowed_grant_types: [one_time], default_grant_type: one_time, ' +
      `expires_in_seconds: 900, max_uses: 1 } }\n${READ}`,
    ['SVC0210 `above` belongs into an item of `when`: `when: [{ cost: { above: 1000 } }]`.'],
  ],
  [
    'a condition on an input without its list',
    READ,
    '    approval:\n      required:\n        input: supplier\n        equals: acme\n      grant_policy: { allowed_grant_types: [one_time], ' +
      `default_grant_type: one_time, expires_in_seconds: 900, max_uses: 1 }\n${READ}`,
    ['SVC0210 `input` belongs into an item of `when`: `when: [{ input: supplier, equals: acme }]`.'],
  ],
  [
    'a pattern as programs write it',
    'type: string, description: The supplier. }',
    "type: string, description: The supplier., x-schema: { type: string, pattern: '/^[A-Z]{2}$/i' } }",
    [
      'SVC2806 The pattern stands between slashes, which no text has there. Write `^[A-Z]{2}$`. There are no flags: for both ' +
        'cases write both, as `[A-Za-z]`.',
    ],
  ],
  [
    'a budget in a manifest',
    READ,
    `    budget: { currency: EUR }\n${READ}`,
    [
      'SVC0202 `quote` has no field `budget`. A budget belongs to a token: who delegates gives it. Require one by ' +
        '`control_requirements: [{ type: cost_ceiling }]`; what a call costs is `cost`.',
    ],
  ],
  [
    'a shared schema for a type within a schema',
    OF_MONEY,
    'price: { type: Money }',
    ["SVC2802 `Money` is no type. Write `{ $ref: '#/x-schemas/Money' }` for the schema."],
  ],
  [
    'a shared schema for the type of a field',
    "{ name: price, type: object, x-schema: { $ref: '#/x-schemas/Money' } }",
    '{ name: price, type: Money }',
    [
      'SVC2803 `Money` is a schema, and no type: the value would be any text. Write `type: object` and ' +
        "`x-schema: { $ref: '#/x-schemas/Money' }`.",
    ],
  ],
  [
    'a bound of an input in another spelling',
    'description: The supplier. }',
    'description: The supplier., max_length: 9 }',
    ['SVC0210 `inputs[0]` has no field `max_length`. It belongs inside `x-schema`: `x-schema: { maxLength: … }`.'],
  ],
  [
    'a bound of an input by a word of other languages',
    'description: The supplier. }',
    'description: The supplier., regex: a }',
    ['SVC0202 `inputs[0]` has no field `regex`. Write `x-schema: { pattern: … }`.'],
  ],
  [
    'an effect that can be undone, whose spelling is nearest to the contrary',
    'kind: composed\n    side_effect: { type: read }',
    'kind: composed\n    side_effect: { type: reversible }',
    [
      'SVC0204 `reversible` is not allowed for `type`: choose one of read, write, transactional, irreversible. Did you mean ' +
        '`write`?',
    ],
  ],
  [
    'an effect that can be undone, without its mapping',
    'side_effect: { type: read }',
    'side_effect: reversible',
    ['SVC2009 `side_effect` must be a mapping. Did you mean `{ type: write }`?'],
  ],
  [
    'a condition as a text',
    READ,
    '    approval: { required: { when: [cost > 1000] }, grant_policy: { allowed_grant_types: [one_time], default_grant_type: ' +
      `one_time, expires_in_seconds: 900, max_uses: 1 } }\n${READ}`,
    ['SVC0214 `when[0]` must be a mapping of fields such as `input` or `cost`.'],
  ],
  [
    'a condition on an amount',
    READ,
    '    approval: { required: { when: [{ amount: { above: 1 } }] }, grant_policy: { allowed_grant_types: [one_time], ' +
      `default_grant_type: one_time, expires_in_seconds: 900, max_uses: 1 } }\n${READ}`,
    [
      'SVC0202 `when[0]` has no field `amount`. Compare the cost of a call with `{ cost: { above: 500 } }`, an input with ' +
        '`{ input: days, above: 30 }`.',
    ],
  ],
  [
    'failures without their prefix',
    READ,
    `    failures: { unknown: Nobody knows it. }\n${READ}`,
    [
      'SVC0202 `quote` has no field `failures`. The failures of a handler are `x-failures`: `{ order_unknown: There is no such ' +
        'order. }`.',
    ],
  ],
  [
    'a list as TypeScript writes it',
    'currency: { type: string }',
    "currency: { type: 'int[]' }",
    [
      'SVC2802 `int[]` is no type; there are string, integer, number, boolean, object, array, null. Write `type: array` with ' +
        '`items: { type: integer }`.',
    ],
  ],
  [
    'a member of a schema that says itself whether it must be there',
    'currency: { type: string }',
    'currency: { type: string, required: true }',
    ['SVC2802 `required` takes a list of names, and stands beside their `properties`.'],
  ],
  [
    'a shared schema without its capital, and a reference with it',
    '  Line: {',
    '  line: {',
    ['SVC2802 `line` becomes the name of a type; write `Line`: a capital, then letters and digits.'],
  ],
  [
    'a value in the place of a path',
    'supplier: $.input.supplier',
    'supplier: acme',
    [
      'SVC4104 `acme` is not a path ($.input.<name> or $.steps.<id>.output.<field>); a value that is the same in each call goes ' +
        'under `x-literals: { ask: { supplier: … } }`.',
    ],
  ],
  [
    'the name of an input in the place of its path',
    'supplier: $.input.supplier',
    'supplier: supplier',
    ['SVC4104 `supplier` is not a path; write `$.input.supplier`.'],
  ],
  [
    'a path of inputs',
    'supplier: $.input.supplier',
    'supplier: $.inputs.supplier',
    ['SVC4104 `$.inputs.supplier` is not a path; write `$.input.supplier`.'],
  ],
  [
    'a path of a step without its output',
    '$.steps.ask.output.quote_id',
    '$.steps.ask.quote_id',
    ['SVC4104 `$.steps.ask.quote_id` is not a path; write `$.steps.ask.output.quote_id`.'],
  ],
  [
    'a path into an input',
    'line: $.input.line }',
    'line: $.input.line.price }',
    [
      'SVC4118 `$.input.line.price` goes deeper than a field; a path is $.input.<name> or $.steps.<id>.output.<field>, without ' +
        'filters, wildcards, indexes or recursion. Give the part an input or an output field of its own, or map all of `$.input.line`.',
    ],
  ],
  [
    'schemas under another name',
    'x-schemas:\n',
    'schemas:\n',
    ['SVC0202 A manifest has no field `schemas`. Did you mean `x-schemas`?'],
  ],
  [
    'a number for a duration',
    READ,
    `    observability: { retention: 5430 }\n${READ}`,
    [
      'SVC0114 `5430` is the number 5430, where an ISO 8601 duration is expected: `PT1H30M30S` for seconds, `P5430D` for days.',
    ],
  ],
  [
    'a name that is no name of a type',
    '  Money: {',
    '  money_amount: { type: string }\n  Money: {',
    ['SVC2802 `money_amount` becomes the name of a type; write `MoneyAmount`: a capital, then letters and digits.'],
  ],
] as const)('%s', (_, before, after, expected) => {
  const { diagnostics } = check([{ file: 'svc.yaml', text: slipped(before, after) }], { judge })
  expect(
    diagnostics.filter(({ severity }) => severity === 'error').map(({ code, message }) => `${code} ${message}`),
  ).toEqual(expected)
})
