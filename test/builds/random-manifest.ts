import type { Json, JsonObject } from '../../src/protocol/manifest.js'
import { schemaOf, SHARED, type Random } from '../values/random.js'

/** Names that a language keeps for itself, that become one another, or that say what objects have. */
const NAMES = [
  'a', 'a_b', 'a__b', 'aB', 'A', 'class', 'default', 'delete', 'new', 'this', 'self', 'await', 'async', 'yield', 'import', 'type', 'enum', 'in', 'is', 'None', 'True',
  'lambda', 'to_string', 'toString', 'value_of', 'then', 'name', 'length', 'arguments', 'eval', 'undefined', 'null_', 'string', 'number', 'Record', 'Promise', 'Date',
  'input', 'inputs', 'output', 'result', 'client', 'service', 'call', 'context', 'token', 'error', 'x1', '_x', 'x_', 'id', 'list', 'dict', 'print', 'from', 'global',
] as const // prettier-ignore
const CAPABILITIES = [
  'a', 'a_b', 'a.b', 'ab', 'class', 'delete', 'new', 'default', 'import', 'pay.charge', 'pay_charge', 'paycharge', 'pay.charge.now', 'client', 'manifest', 'handlers', 'service',
  'types', 'index', 'validators', 'to_string', 'search', 'search2', 'search_2', 'await', 'x', 'input', 'output', 'create_client', 'then', 'invoke', 'permissions', 'with_token',
] as const // prettier-ignore
const TYPES = ['string', 'integer', 'number', 'boolean', 'date', 'datetime', 'duration', 'object', 'array', 'uri', 'email', 'uuid', 'airport_code', 'any'] as const // prettier-ignore
const TEXTS = [
  'Says what it does, on what, and what it returns.',
  'Ends */ a comment, `and` a ${template}, and a "quote" \\ with \\u0041.',
  "Quotes 'once' and ''' thrice, and \"\"\" as Python does.",
  '# A heading\n\n<script>alert(1)</script> | a | table |',
  'Ünïcödé \u2028 and 𝔘 beyond.',
  '{{ braces }} %s {0} @deprecated',
] as const

const pick = <Item>(random: Random, items: readonly Item[]): Item => items[random(items.length)]!
const maybe = (random: Random, of: number, make: () => JsonObject): JsonObject => (random(of) === 0 ? make() : {})
const some = <Item>(random: Random, items: readonly Item[], most: number): readonly Item[] =>
  Array.from({ length: random(most + 1) }, () => pick(random, items))

const VALUES: { readonly [type: string]: readonly Json[] } = {
  integer: [0, 1, 2, -3],
  number: [0.5, 1, 2],
  boolean: [true, false],
  date: ['2026-01-01', '2026-02-28'],
  datetime: ['2026-01-01T00:00:00Z', '2026-01-02T03:04:05Z'],
  duration: ['PT1H', 'P2D'],
  uri: ['https://example.com/a', 'https://example.com/b'],
  email: ['a@example.com', 'b@example.com'],
  uuid: ['6f9619ff-8b86-4d01-b42d-00c04fc964ff', '6f9619ff-8b86-4d01-b42d-00c04fc964fe'],
}
const valuesOf = (type: string): readonly Json[] => VALUES[type] ?? ['economy', "it's", 'a\\b', '"', 'class']

function inputOf(random: Random, name: string): JsonObject {
  const type = pick(random, TYPES)
  const values = valuesOf(type)
  const isPlain = type !== 'object' && type !== 'array' && type !== 'any'
  return {
    name,
    type,
    description: pick(random, TEXTS),
    ...maybe(random, 3, () => ({ required: false })),
    ...(isPlain ? maybe(random, 4, () => ({ required: false, default: pick(random, values) })) : {}),
    ...(isPlain ? maybe(random, 4, () => ({ allowed_values: [...values] })) : {}),
    ...(isPlain ? maybe(random, 12, () => ({ allowed_values: [...values], resolution: { mode: 'closed_values', on_missing: 'clarify' } })) : {}),
    ...(type === 'any' ? maybe(random, 2, () => ({ 'x-schema': schemaOf(random, 2) as JsonObject })) : {}),
    ...maybe(random, 8, () => ({ semantic_type: 'entity_reference', entity_reference: true })),
  }
} // prettier-ignore

const outputOf = (random: Random): JsonObject => ({
  type: pick(random, [...NAMES, 'flight_list']),
  fields: ['whole', ...new Set(some(random, NAMES, 4))].map((name): Json => {
    if (random(2) === 0) return name
    const type = pick(random, [...TYPES, ['string', 'null'], ['array', 'null']] as const)
    return { name, type: type as Json, ...maybe(random, 2, () => ({ description: pick(random, TEXTS) })), ...(type === 'any' ? maybe(random, 2, () => ({ 'x-schema': schemaOf(random, 2) as JsonObject })) : {}) } // prettier-ignore
  }),
})

const APPROVAL: JsonObject = {
  required: 'always',
  grant_policy: {
    allowed_grant_types: ['one_time', 'session_bound'],
    default_grant_type: 'one_time',
    expires_in_seconds: 60,
    max_uses: 1,
  },
}

const COSTS: readonly JsonObject[] = [
  { certainty: 'fixed', financial: { currency: 'EUR', amount: 5 } },
  { certainty: 'fixed', financial: { currency: 'JPY', amount: 500 } },
  { certainty: 'dynamic', financial: { currency: 'USD', upper_bound: 9.5, 'x-amount-input': false } },
]

function atomic(random: Random): JsonObject {
  // Every object has a `toString`: one that is optional and no function is never left out, for TypeScript.
  const names = [...new Set(some(random, NAMES, 5))].filter((name) => name !== 'toString')
  const effect = pick(random, ['read', 'write', 'irreversible'] as const)
  return {
    description: pick(random, TEXTS),
    contract_version: pick(random, ['1.0.0', '0.1.0-beta.1', '2.3.4+x']),
    side_effect: { type: effect },
    minimum_scope: ['shop.read', ...maybeList(random, 'shop.write')],
    inputs: names.map((name) => inputOf(random, name)),
    output: outputOf(random),
    ...maybe(random, 3, () => ({ 'x-title': pick(random, TEXTS).split('\n')[0]! })),
    ...maybe(random, 4, () => ({ response_modes: pick(random, [['unary'], ['streaming'], ['unary', 'streaming']]) })),
    ...maybe(random, 4, () => ({ approval: APPROVAL })),
    ...maybe(random, 4, () => ({ cost: pick(random, COSTS) })),
    ...maybe(random, 4, () => ({ business_effects: { produces: [pick(random, NAMES)], does_not_produce: [] } })),
    ...maybe(random, 4, () => ({ observability: { logged: true, retention: 'P90D', fields_logged: [...new Set(names)] } })),
    ...maybe(random, 5, () => ({ 'x-failures': { sold_out: pick(random, TEXTS), class: null, gone: { status: 410, description: 'Gone.' } } })),
    ...maybe(random, 6, () => ({ requires_principal: pick<Json>(random, ['human', ['human', 'agent']]) })),
    ...maybe(random, 6, () => ({ 'x-note': { anything: [1, null, 'two'] } })),
  }
} // prettier-ignore

const maybeList = (random: Random, item: string): readonly string[] => (random(3) === 0 ? [item] : [])

/** A quote and what it pays for: the price is that of the quote. */
function quoted(random: Random): readonly (readonly [string, JsonObject])[] {
  const [from, to] = pick(random, [['quote', 'buy'], ['price.of_it', 'price.pay'], ['get_class', 'get.it'], ['is', 'in']] as const) // prettier-ignore
  const [type, field] = [pick(random, ['quote', 'class', 'a-b', 'QuoteOf']), pick(random, ['quote_id', 'class', 'self'])]
  const common = { contract_version: '1.0.0', output: outputOf(random) }
  const preview = maybe(random, 2, () => ({ preview: 'must_hold' }))
  return [
    [
      from,
      { ...common, description: pick(random, TEXTS), side_effect: { type: 'read' }, minimum_scope: ['shop.read'], inputs: [], output: { type: 'quote', fields: ['quote_id'] } },
    ],
    [
      to,
      {
        ...common,
        description: pick(random, TEXTS),
        side_effect: pick<Json>(random, [{ type: 'irreversible' }, { type: 'transactional', rollback_window: 'PT24H' }]),
        minimum_scope: ['shop.write'],
        inputs: [{ name: field, type: 'string', description: 'A quote.' }, { name: 'of', type: 'integer', description: 'How many.', required: random(2) === 0 }],
        cost: { certainty: 'estimated', financial: { currency: 'EUR', range_min: 1, range_max: 500, typical: 12 }, determined_by: from },
        requires: [{ capability: from, reason: 'It needs a quote.' }],
        requires_binding: [{ type, field, source_capability: from, max_age: 'PT15M' }],
        ...maybe(random, 2, () => ({ control_requirements: [{ type: 'cost_ceiling', enforcement: 'reject' }] })),
        ...maybe(random, 2, () => ({ approval: { ...APPROVAL, required: { when: [{ cost: { above: 50 } }] }, ...preview } })),
        ...maybe(random, 2, () => ({ 'x-exclusive-by': [field], refresh_via: [from] })),
      },
    ],
  ]
} // prettier-ignore

/** Two steps, of which the second reads the first. */
function composed(random: Random, children: readonly (readonly [string, JsonObject])[]): JsonObject {
  const steps = children.map(([capability], index) => ({ id: pick(random, NAMES) + index, capability }))
  const inputs = new Map<string, JsonObject>()
  const mapping = children.map(([, child], index) => {
    const needed = child['inputs'] as readonly JsonObject[]
    for (const input of needed) inputs.set(String(input['name']), { ...inputs.get(String(input['name'])), ...input })
    return [steps[index]!.id, Object.fromEntries(needed.map(({ name }) => [String(name), `$.input.${String(name)}`]))]
  })
  return {
    description: 'Runs steps one after the other.',
    contract_version: '1.0.0',
    kind: 'composed',
    side_effect: { type: 'read' },
    minimum_scope: ['shop.read', 'shop.write'],
    inputs: [...inputs.values()],
    output: { type: 'all', fields: steps.map((_, index) => `of_${index}`) },
    composition: {
      authority_boundary: 'same_service',
      steps,
      input_mapping: Object.fromEntries(mapping),
      output_mapping: Object.fromEntries(steps.map(({ id }, index) => [`of_${index}`, `$.steps.${id}.output.whole`])),
      failure_policy: 'propagate',
      audit_policy: { record_child_invocations: true, parent_task_lineage: true },
    },
  }
}

/** Schemas whose names a client, a language or its standard library may have taken. */
const ofNames = (random: Random): JsonObject =>
  Object.fromEntries(
    some(random, ['Amount', 'Promise', 'Date', 'Failure', 'Call', 'Error', 'A', 'Type'], 3).map((name) => [name, schemaOf(random, 2) as JsonObject]),
  ) // prettier-ignore

/** A manifest that often is valid; its service is of the seed alone. */
export function randomManifest(random: Random, seed: number): JsonObject {
  const names = [...new Set(['a', ...some(random, CAPABILITIES, 5)])]
  const atoms = names.map((name) => [name, atomic(random)] as const)
  const bought = random(3) === 0 ? quoted(random) : []
  const reading = atoms.filter(([, { side_effect: effect }]) => (effect as JsonObject)['type'] === 'read').slice(0, 2)
  const whole = random(3) === 0 && reading.length > 0 ? [['all_of_it', composed(random, reading)] as const] : []
  return {
    manifest_metadata: { version: '0.24.0' },
    service_identity: { id: `${pick(random, ['shop', 'class', 'a.b-c', '0'])}${seed}`, ...maybe(random, 3, () => ({ name: pick(random, TEXTS).split('\n')[0]! })), ...maybe(random, 3, () => ({ description: pick(random, TEXTS) })) },
    trust: { level: pick(random, ['declarative', 'signed']) },
    ...maybe(random, 3, () => ({ metadata_disclosure: { caller_class: { internal: 'full', default: 'redacted' }, failure_detail: 'policy' } })),
    'x-schemas': { ...(SHARED as unknown as JsonObject), ...ofNames(random) },
    ...(random(2) === 0 ? { approvals: { approver_scope: 'shop.approver' } } : {}),
    capabilities: Object.fromEntries([...atoms, ...bought, ...whole]),
  }
} // prettier-ignore
