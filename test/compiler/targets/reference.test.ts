import { expect, it } from 'vitest'
import { rememberNothing } from '../../../src/compiler/plan/memo.js'
import { planService } from '../../../src/compiler/plan/plan-service.js'
import type { Field } from '../../../src/compiler/shape/field.js'
import { CAPABILITY } from '../../../src/compiler/shape/fields/capability.js'
import { MANIFEST } from '../../../src/compiler/shape/fields/manifest.js'
import { reference } from '../../../src/compiler/targets/documents/reference.js'
import type { Capability, GrantPolicy, Manifest } from '../../../src/protocol/manifest.js'
import { capability, input, manifestOf } from '../../runtime/fixture/manifest.js'

/** Says everything that a capability may say. */
const BOOK = capability({
  description: 'Books a seat.',
  contract_version: '2.3.4',
  response_modes: ['unary', 'streaming'],
  minimum_scope: ['travel.book'],
  side_effect: { type: 'transactional', rollback_window: 'PT24H', compensation: 'refund' },
  inputs: [
    input('quote_id', {
      description: 'The quote.',
      required: false,
      default: 'q1',
      allowed_values: ['q1', 'q2'],
      input_meanings: [{ value: 'q1', label: 'the first' }],
      resolution: { mode: 'closed_values', on_missing: 'use_default', on_ambiguous: 'clarify', on_unresolved: 'deny' },
      'x-sensitive': true,
    }),
  ],
  output: { type: 'booking', fields: [{ name: 'seat', type: 'string', description: 'Where to sit.' }] },
  cost: {
    certainty: 'fixed',
    financial: { currency: 'EUR', amount: 7, range_min: 5, range_max: 9, typical: 6 },
    compute: { expected_duration: 'PT2S' },
    determined_by: 'the airline',
  },
  requires: [{ capability: 'search', reason: 'A price must *be quoted*.' }],
  requires_binding: [{ type: 'seat_quote', field: 'quote_id', source_capability: 'search', max_age: 'PT15M' }],
  control_requirements: [{ type: 'cost_ceiling' }, { type: 'stronger_delegation_required' }],
  requires_principal: ['human', 'oidc'],
  approval: {
    required: { when: [{ input: 'quote_id', not_equals: 'q1' }] },
    approvers: 2,
    tiers: [{ cost_above: 6, approver_scope: 'finance.approver' }],
    preview: 'must_hold',
    grant_policy: {
      allowed_grant_types: ['one_time', 'session_bound'],
      default_grant_type: 'one_time',
      expires_in_seconds: 900,
      max_uses: 3,
    },
  },
  business_effects: { produces: ['a booking'], does_not_produce: ['an invoice'] },
  observability: { logged: true, retention: 'P90D', fields_logged: ['quote_id'] },
  refresh_via: ['search'],
  verify_via: ['look'],
  cross_service: {
    handoff_to: [{ service: 'hotels', capability: 'book_room' }],
    refresh_via: [{ service: 'prices', capability: 'ask' }],
    verify_via: [{ service: 'gates', capability: 'check' }],
    followup_via: [{ service: 'cars', capability: 'rent' }],
  },
  extensions: { 'x-exclusive-by': ['quote_id'], 'x-failures': { sold_out: 'No seat is left.' } },
})

const sectionOf = (name: string, capabilities: { readonly [name: string]: Capability }): string => {
  const [file] = reference(planService(manifestOf(capabilities), 'svc', rememberNothing))
  return file!.text.split(/^(?=## )/mu).find((section) => section.startsWith(`## \`${name}\``))!
}

const SECTION = `## \`book\`

Books a seat.

Makes a change that can be rolled back for a while. Needs travel.book. Costs 7 EUR. May need an approval.

Contract version 2.3.4. Response: unary or streaming.

- Call \`search\` first: A price must \\*be quoted\\*.
- \`quote_id\` names a \`seat_quote\` of \`search\`, PT15M old at most.
- The token must have a budget.
- The token must be bound to this capability.
- Only a human or oidc principal may call it, with a root token of its own.
- One call at a time runs for the same \`quote_id\`.
- A call needs an approval when \`quote_id\` is not "q1". 2 different people must approve. Above 6 EUR only \`finance.approver\` approves. It is asked for again where what was approved no longer holds. A grant (one_time, by default; session_bound) lives 900 s and has 3 uses at most.
- Usually costs at least 5, at most 9, typically 6 EUR.
- What it costs is determined by: the airline.
- A call takes about PT2S.
- Can be undone for PT24H.
- Is undone by \`refund\`.
- Brings about: a booking.
- Never brings about: an invoice.
- What is stale is made anew by \`search\`.
- What it did is verified by \`look\`.
- Hands over to \`book_room\` of \`hotels\`.
- What is stale is made anew by \`ask\` of \`prices\`.
- What it did is verified by \`check\` of \`gates\`.
- Is followed up by \`rent\` of \`cars\`.
- The trail keeps \`quote_id\` for P90D.
`

const COMPOSITION = { authority_boundary: 'same_service', input_mapping: {}, output_mapping: {}, failure_policy: 'fail_parent', audit_policy: { record_child_invocations: true, parent_task_lineage: true } } // prettier-ignore

it('tells a reader all that a caller should know', () => {
  expect(sectionOf('book', { book: BOOK })).toContain(SECTION)
})

it('tells of a composition at which step it may wait for an approval', () => {
  const trip = { ...capability(), kind: 'composed', composition: { ...COMPOSITION, steps: [{ id: 'book', capability: 'book' }] } } as unknown as Capability // prettier-ignore
  const [file] = reference(planService(manifestOf({ book: BOOK, trip }), 'svc', rememberNothing))
  expect(file!.text).toMatch(/\| `trip` .*\| `book`: on conditions +\|\n/u)
  expect(file!.text).toContain(
    '- The call may wait at its step `book`. Of it: A call needs an approval when `quote_id` is not "q1".\n',
  )
})

it('tells of a step once, however often it is taken', () => {
  const steps = ['first', 'second'].map((id) => ({ id, capability: 'book' }))
  const trip = { ...capability(), kind: 'composed', composition: { ...COMPOSITION, steps } } as unknown as Capability
  const section = sectionOf('trip', { book: BOOK, trip })
  expect(section.split('The call may wait at its step').length - 1).toBe(1)
  expect(section).toContain('- Calls in turn `book`, `book`.\n')
})

const GRANT: GrantPolicy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 60, max_uses: 1 } // prettier-ignore
const ONCE = 'A grant (one_time, by default) lives 60 s and has 1 use at most.'

it.each<[object, string]>([
  [{ required: 'always' }, `Each call needs an approval. ${ONCE}`],
  [{ required: 'handler' }, `The service decides which calls need an approval. ${ONCE}`],
  [{ required: { when: [{ input: 'n', equals: 1 }] } }, `A call needs an approval when \`n\` is 1. ${ONCE}`],
  [{ required: { when: [{ input: 'n', not_equals: 'a' }] } }, `A call needs an approval when \`n\` is not "a". ${ONCE}`],
  [{ required: { when: [{ input: 'n', in: [1, 2] }] } }, `A call needs an approval when \`n\` is one of \\[1,2\\]. ${ONCE}`],
  [{ required: { when: [{ input: 'n', above: 1 }] } }, `A call needs an approval when \`n\` is above 1. ${ONCE}`],
  [{ required: { when: [{ input: 'n', at_least: 1 }] } }, `A call needs an approval when \`n\` is at least 1. ${ONCE}`],
  [{ required: { when: [{ input: 'n', below: 1 }] } }, `A call needs an approval when \`n\` is below 1. ${ONCE}`],
  [{ required: { when: [{ input: 'n', at_most: 1 }] } }, `A call needs an approval when \`n\` is at most 1. ${ONCE}`],
  [{ required: { when: [{ input: 'n', above: 1, at_most: 9 }] } }, `A call needs an approval when \`n\` is above 1 and \`n\` is at most 9. ${ONCE}`],
  [{ required: { when: [{ cost: { above: 5 } }] } }, `A call needs an approval when its cost is above 5. ${ONCE}`],
  [{ required: { when: [{ cost: { at_least: 5 } }, { input: 'n', equals: 1 }] } }, `A call needs an approval when its cost is at least 5 and \`n\` is 1. ${ONCE}`],
  [{ required: 'always', approvers: 1 }, `Each call needs an approval. ${ONCE}`],
  [{ required: 'always', approvers: 2 }, `Each call needs an approval. 2 different people must approve. ${ONCE}`],
  [{ required: 'always', grant_policy: { ...GRANT, max_uses: 2 } }, 'Each call needs an approval. A grant (one_time, by default) lives 60 s and has 2 uses at most.'],
  [{ required: 'always', grant_policy: { ...GRANT, allowed_grant_types: ['one_time', 'session_bound'], default_grant_type: 'session_bound' } }, 'Each call needs an approval. A grant (one_time; session_bound, by default) lives 60 s and has 1 use at most.'],
])('tells of the approval %j', (approval, text) => {
  const pay = capability({ approval: { grant_policy: GRANT, ...approval } as NonNullable<Capability['approval']> })
  expect(sectionOf('pay', { pay })).toContain(`\n- ${text}\n`)
}) // prettier-ignore

it.each<[object, string | undefined]>([
  [{ range_min: 1 }, 'Usually costs at least 1 EUR.'],
  [{ range_max: 9 }, 'Usually costs at most 9 EUR.'],
  [{ typical: 5 }, 'Usually costs typically 5 EUR.'],
  [{ range_min: 1, range_max: 9, typical: 5 }, 'Usually costs at least 1, at most 9, typically 5 EUR.'],
  [{}, undefined],
])('tells of the cost %j', (financial, text) => {
  const pay = capability({ cost: { certainty: 'estimated', financial: { currency: 'EUR', ...financial } } })
  expect(/\n- (Usually .*)\n/u.exec(sectionOf('pay', { pay }))?.[1]).toBe(text)
})

it.each<[Partial<Manifest>, readonly string[]]>([
  [{ trust: { level: 'signed' } }, ['Trust: signed.']],
  [{ trust: { level: 'anchored', anchoring: { cadence: 'hourly' } } }, ['Trust: anchored, with a checkpoint of the trail hourly.']],
  [{ trust: { level: 'anchored', anchoring: { cadence: 'daily' } } }, ['Trust: anchored, with a checkpoint of the trail daily.']],
  [{ trust: { level: 'anchored', anchoring: { cadence: 'PT15M' } } }, ['Trust: anchored, with a checkpoint of the trail each PT15M.']],
  [{ limits: { max_delegation_depth: 0, default_ttl_hours: 1, max_ttl_hours: 8 } }, ['A token lives 1 h unless asked otherwise, 8 h at most; none is delegated further.']],
  [{ limits: { max_delegation_depth: 1, default_ttl_hours: 1, max_ttl_hours: 8 } }, ['A token lives 1 h unless asked otherwise, 8 h at most; 1 may descend from a root token, one from another.']],
  [{ approvals: { request_ttl: 'PT1H', denial_holds: 'PT5M', allow_agents: true, separation_of_duties: false } }, ['An approver has the scope `approver:<capability>`. Agents and services may approve.', 'A request for an approval waits PT1H. A denial answers the same call for PT5M.']],
])('tells of a service with %j', (more, texts) => {
  const [file] = reference(planService(manifestOf({ book: BOOK }, more), 'svc', rememberNothing))
  for (const text of texts) expect(file!.text).toContain(`\n- ${text}\n`)
}) // prettier-ignore

it('says nothing of approvers where nothing needs one', () => {
  const [file] = reference(planService(manifestOf({ look: capability() }), 'svc', rememberNothing))
  expect(file!.text).not.toContain('An approver has')
})

it('tells what holds for the whole service', () => {
  const manifest = manifestOf(
    { book: BOOK },
    {
      service_identity: { id: 'flights', name: 'Flights & more', description: 'Finds *flights*.' },
      trust: { level: 'anchored', anchoring: { cadence: 'PT5S' } },
      limits: { max_delegation_depth: 3, default_ttl_hours: 2, max_ttl_hours: 24 },
      approvals: { approver_scope: 'travel.approver', request_ttl: 'PT24H', denial_holds: 'PT10M', allow_agents: false, separation_of_duties: true },
    },
  )
  const [file] = reference(planService(manifest, 'svc', rememberNothing))
  expect(file!.text.slice(0, file!.text.indexOf('\n|'))).toBe(`# Flights \\& more

Finds \\*flights\\*.

- Service \`flights\`, protocol 0.24.0.
- Trust: anchored, with a checkpoint of the trail each PT5S.
- A token lives 2 h unless asked otherwise, 24 h at most; 3 may descend from a root token, one from another.
- An approver has the scope \`approver:<capability>\` or \`travel.approver\`. Nobody approves what was asked for in their own name. Only people may approve.
- A request for an approval waits PT24H. A denial answers the same call for PT10M.
`)
}) // prettier-ignore

it('lists the members of structured values, each shared schema once on its way', () => {
  const line = {
    type: 'object',
    properties: { sku: { type: 'string', description: 'What is bought.', maxLength: 20 }, count: { type: 'integer', minimum: 1 }, parts: { type: 'array', items: { $ref: '#/x-schemas/line' } } },
    required: ['sku'],
  } // prettier-ignore
  const order = { type: 'object', properties: { lines: { type: 'array', items: { $ref: '#/x-schemas/line' } }, mode: { enum: ['air', 'sea'] } }, required: ['lines'] } // prettier-ignore
  const manifest = manifestOf({ buy: capability({ inputs: [input('order', { type: 'object', 'x-schema': order })] }) }, { extensions: { 'x-schemas': { line } } }) // prettier-ignore
  const [file] = reference(planService(manifest, 'svc', rememberNothing))
  expect(file!.text).toContain(`
| member                  | type      | required | meaning                       |
| ----------------------- | --------- | -------- | ----------------------------- |
| \`order.lines\`           | \`array\`   | yes      |                               |
| \`order.lines[]\`         | \`object\`  |          |                               |
| \`order.lines[].sku\`     | \`string\`  | yes      | What is bought. maxLength 20. |
| \`order.lines[].count\`   | \`integer\` | no       | minimum 1.                    |
| \`order.lines[].parts\`   | \`array\`   | no       |                               |
| \`order.lines[].parts[]\` | \`object\`  |          |                               |
| \`order.mode\`            |           | no       | One of "air", "sea".          |
`)
})

/** Fields of a manifest beside its capabilities that the page does not tell: what tools fill in, what is not for callers. */
const NOT_TOLD = [
  'manifest_metadata.sha256', 'manifest_metadata.issued_at', 'manifest_metadata.expires_at', 'service_identity.jwks_uri', 'service_identity.issuer_mode',
  'metadata_disclosure.caller_class', 'metadata_disclosure.failure_detail', 'metadata_disclosure.manifest', 'include', 'limits.delegate_to_humans',
] // prettier-ignore
const TOLD = [
  'manifest_metadata.version', 'service_identity.id', 'service_identity.name', 'service_identity.description', 'trust.level', 'trust.anchoring.cadence',
  'limits.max_delegation_depth', 'limits.default_ttl_hours', 'limits.max_ttl_hours',
  'approvals.approver_scope', 'approvals.denial_holds', 'approvals.request_ttl', 'approvals.allow_agents', 'approvals.separation_of_duties', 'capabilities', 'x-schemas',
] // prettier-ignore

it('leaves no field of a manifest out but on purpose', () => {
  expect([...leavesOf('', { kind: 'object', shape: MANIFEST })].toSorted()).toEqual([...NOT_TOLD, ...TOLD].toSorted())
})

/** Fields whose values a reader does not look for here, and why. */
const LEFT_OUT: { readonly [path: string]: string } = {
  'output.type': 'a name of the result that nothing refers to',
  'inputs.semantic_type': 'a hint for agents, in the manifest',
  'inputs.entity_reference': 'a hint for agents, in the manifest',
  'inputs.catalog_ref': 'a name inside the service',
  'inputs.resolution.resolver_ref': 'a name inside the service',
  'inputs.input_meanings.description': 'the label says it in a few words; the rest is in the manifest',
  'cost.financial.upper_bound': 'said instead of the amount where the cost is dynamic',
  'cost.financial.x-amount-input': 'said where the cost is dynamic',
  'control_requirements.enforcement': 'there is one only',
  'observability.logged': 'each call is',
  'inputs.x-schema': 'said by the table of members',
  'output.fields.x-schema': 'said by the table of members',
  'x-upstream': 'how the service calls another one, which is served to nobody',
  'x-title': 'the name that people see in the console and in clients of tools',
  kind: 'said by the steps',
  'cost.factors': 'not enforced: the manifest has it',
  'cost.rate_limit': 'not enforced: the manifest has it',
  'observability.audit_accessible_by': 'not enforced: the manifest has it',
  cross_service_contract: 'not enforced: the manifest has it',
  composes_with: 'not enforced: the manifest has it',
  session: 'not enforced: the manifest has it',
  composition: 'steps are listed, what may come of them are failures; mappings are inside the service',
}

/** What the section says because of a field: the value itself, or its words. */
const WORDS: { readonly [path: string]: string } = {
  'side_effect.type': 'rolled back',
  'approval.preview': 'It is asked for again where what was approved no longer holds.',
  'inputs.required': '| no ',
  'inputs.x-sensitive': 'Approvers do not see it.',
  'x-exclusive-by': 'One call at a time runs for the same `quote_id`.',
  'cost.certainty': 'Costs 7 EUR',
  'control_requirements.type': 'must have a budget',
  'approval.required.when.input': 'when `quote_id`',
}

it('says which input is the amount of a dynamic cost', () => {
  const cost = { certainty: 'dynamic', financial: { currency: 'EUR', upper_bound: 100, 'x-amount-input': 'passengers' } } as const // prettier-ignore
  expect(sectionOf('book', { book: { ...BOOK, cost } })).toContain('A call costs what `passengers` says, in EUR.')
})

it('leaves no field of a capability out but on purpose', () => {
  const section = sectionOf('book', { book: BOOK })
  const leaves = [...leavesOf('', { kind: 'object', shape: CAPABILITY })]
  expect(leaves).toContain('requires.reason')
  const silent = leaves.filter((path) => {
    if (Object.keys(LEFT_OUT).some((each) => path === each || path.startsWith(`${each}.`))) return false
    const told = [WORDS[path] ?? valuesAt(BOOK, path.split('.'))].flat()
    return told.length === 0 || !told.every((each) => section.includes(String(each).replaceAll('*', String.raw`\*`)))
  })
  // Of all comparisons, the one that is there stands for the others.
  expect(silent.filter((path) => !path.startsWith('approval.required.when.'))).toEqual([])
})

function* leavesOf(path: string, field: Field): Generator<string> {
  if (field.kind === 'list') yield* leavesOf(path, field.items)
  else if (field.kind === 'oneOf') yield* leavesOf(path, field.list ?? field.map ?? field.scalar!)
  else if (field.kind !== 'object') yield path
  else
    for (const [name, member] of Object.entries(field.shape.fields))
      yield* leavesOf(path === '' ? name : `${path}.${name}`, member)
}

function valuesAt(value: unknown, [name, ...rest]: readonly string[]): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => valuesAt(each, [...(name === undefined ? [] : [name]), ...rest]))
  if (name === undefined) return value === undefined ? [] : [value]
  return valuesAt((value as { readonly [name: string]: unknown } | undefined)?.[name], rest)
} // prettier-ignore
