/** What a declaration makes possible and demands, one member at a time. */
import { describe, expect, it } from 'vitest'
import { rememberNothing } from '../../../src/compiler/plan/memo.js'
import { planService } from '../../../src/compiler/plan/plan-service.js'
import type { Capability, Composition, Input } from '../../../src/protocol/manifest.js'
import { capability, input, manifestOf } from '../../runtime/fixture/manifest.js'

const planOf = (capabilities: { readonly [name: string]: Capability }) =>
  planService(manifestOf(capabilities), 'svc', rememberNothing)
const only = (given: Partial<Capability>) => planOf({ it: capability(given) }).capabilities[0]!
const grant_policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 9, max_uses: 1 } as const // prettier-ignore
const resolved = (resolution: object): Input => input('place', { resolution: resolution as never })
const bindingOf = (field: string, type = 'quote', more: object = {}) => ({ type, field, ...more })

describe('failures of the interface', () => {
  it.each<[string, Partial<Capability>, readonly string[]]>([
    ['nothing', {}, []],
    ['a principal', { requires_principal: ['human'] }, ['non_delegable_action']],
    ['no controls', { control_requirements: [] }, []],
    ['a control', { control_requirements: [{ type: 'cost_ceiling' }] }, ['control_requirement_unsatisfied']],
    ['no bindings', { requires_binding: [] }, []],
    ['a binding', { requires_binding: [bindingOf('quote_id')] }, ['binding_missing', 'binding_stale']],
    ['a cost without money', { cost: { certainty: 'estimated' } }, []],
    ['an account of the person', { extensions: { 'x-upstream': { connection: 'mail' } } }, ['connection_required']],
    ['a fixed cost', { cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 1 } } }, ['budget_currency_mismatch', 'budget_exceeded']],
    ['an estimated cost', { cost: { certainty: 'estimated', financial: { currency: 'EUR' } } }, ['budget_currency_mismatch', 'budget_exceeded', 'budget_not_enforceable']],
    ['an approval', { approval: { required: 'always', grant_policy } }, ['approval_denied', 'approval_grant_invalid', 'approval_required', 'approval_returned']],
    ['a resolution', { inputs: [input('a'), resolved({ mode: 'clarify' })] }, ['clarification_required']],
  ])('of what declares %s', (_, given, refusals) => {
    expect(only(given).refusals).toEqual(refusals)
  }) // prettier-ignore

  it.each([
    ['return_success_no_results', ['approval_denied', 'approval_grant_invalid', 'approval_required', 'approval_returned', 'composition_child_failed', 'non_delegable_action']],
    ['deny', ['approval_denied', 'approval_grant_invalid', 'approval_required', 'approval_returned', 'composition_child_failed', 'composition_empty_result', 'non_delegable_action']],
    ['clarify', ['approval_denied', 'approval_grant_invalid', 'approval_required', 'approval_returned', 'clarification_required', 'composition_child_failed', 'non_delegable_action']],
  ])('of a composition: its own, those of its steps, and what it does with nothing: %s', (empty_result_policy, refusals) => {
    const steps = ['one', 'other', 'nowhere'].map((each) => ({ id: each, capability: each }))
    const whole = capability({ kind: 'composed', requires_principal: ['human'], composition: { steps, empty_result_policy } as unknown as Composition })
    const approved = capability({ approval: { required: 'always', grant_policy } })
    const { capabilities } = planOf({ whole, one: approved, other: { ...approved, requires_principal: ['human'] } })
    expect(capabilities.find(({ name }) => name === 'whole')!.refusals).toEqual(refusals)
  }) // prettier-ignore

  it('of the business: those of the steps too, each type and status once, in order', () => {
    const failing = (failures: object): Partial<Capability> => ({ extensions: { 'x-failures': failures as never } })
    const steps = ['one', 'other'].map((each) => ({ id: each, capability: each }))
    const { capabilities } = planOf({
      whole: capability({ kind: 'composed', composition: { steps } as unknown as Composition, ...failing({ late: 'Own.' }) }),
      one: capability(failing({ sold_out: 'None.', late: 'Of one.' })),
      other: capability(failing({ gone: { status: 410, description: 'Gone.' } })),
    })
    expect(capabilities.find(({ name }) => name === 'whole')!.callFailures.map(({ type, status, description }) => `${type} ${status} ${description}`)).toEqual([
      'gone 410 Gone.',
      'late 422 Own.',
      'sold_out 422 None.',
    ])
  }) // prettier-ignore
})

describe('what an author must implement', () => {
  const demanded = (...inputs: readonly Input[]) => {
    const { resolvers, actorPolicy } = planOf({ a: capability({ inputs }) }).demands
    return [resolvers, actorPolicy]
  }
  it.each<[string, readonly Input[], readonly string[], boolean]>([
    ['nothing', [input('place')], [], false],
    ['a resolver, named once', ['b', 'a', 'b'].map((resolver_ref, index) => input(`i${index}`, { catalog_ref: 'c', resolution: { mode: 'backend_resolved', resolver_ref } })), ['a', 'b'], false],
    ['the resolver of a catalog', [input('place', { catalog_ref: 'c', resolution: { mode: 'backend_resolved' } })], ['c'], false],
    ['no resolver of what is not resolved', [input('place', { catalog_ref: 'c' })], [], false],
    ['a policy by mode', [resolved({ mode: 'actor_policy' })], [], true],
    ['a policy for what is missing', [resolved({ mode: 'clarify', on_missing: 'use_actor_scope' })], [], true],
    ['a policy for what is ambiguous', [resolved({ mode: 'clarify', on_ambiguous: 'use_actor_scope' })], [], true],
    ['a policy for what is unresolved', [input('a'), resolved({ mode: 'clarify', on_unresolved: 'use_actor_scope' })], [], true],
  ])('%s', (_, inputs, resolvers, actorPolicy) => {
    expect(demanded(...inputs)).toEqual([resolvers, actorPolicy])
  }) // prettier-ignore

  it('previews of what a person approves and a handler does; what looks bindings up, where one is required', () => {
    const approval = { required: 'always', grant_policy } as const
    const composition = { steps: [] } as unknown as Composition
    const { demands } = planOf({
      b: capability({ approval }),
      a: capability({ approval, kind: 'composed', composition }),
      c: capability({ requires_binding: [] }),
    })
    expect([demands.previews.map(({ name }) => name), demands.bindings]).toEqual([['b'], false])
    expect(planOf({ a: capability({ requires_binding: [bindingOf('quote')] }) }).demands.bindings).toBe(true)
  })
})

it('knows which bindings a capability issues, each once, in order, and whether one fixes a price', () => {
  const cost = { certainty: 'estimated', financial: { currency: 'EUR' } } as const
  const of = (type: string, more: Partial<Capability> = {}) =>
    capability({ inputs: [input('id', { required: false })], requires_binding: [bindingOf('id', type, { source_capability: 'quote' })], ...more })
  const { capabilities } = planOf({ quote: capability(), pay: of('z_price', { cost }), pay_more: of('z_price'), seat: of('a_seat') })
  const plans = Object.fromEntries(capabilities.map(({ name, context }) => [name, context]))
  expect(plans['quote']!.quotes).toEqual([{ type: 'a_seat', isPriced: false }, { type: 'z_price', isPriced: true }])
  expect(plans['seat']!.quotes).toEqual([])
  expect(plans['pay']!.bound).toEqual([{ field: 'id', types: ['z_price'], optional: true, isPriced: true }])
}) // prettier-ignore

it('knows an input by all of its bindings', () => {
  const requires_binding = [bindingOf('id', 'one'), bindingOf('id', 'two'), bindingOf('id', 'one'), bindingOf('seat')]
  const { context, financial, hasHandler } = only({ inputs: [input('id'), input('seat')], requires_binding })
  expect([context.bound, context.streams, context.asksForApproval, financial, hasHandler]).toEqual([
    [
      { field: 'id', types: ['one', 'two'], optional: false, isPriced: false },
      { field: 'seat', types: ['quote'], optional: false, isPriced: false },
    ],
    false,
    false,
    false,
    true,
  ])
})

describe('comments', () => {
  it.each<[Partial<Input>, readonly string[]]>([
    [{}, []],
    [{ description: 'A city' }, ['A city.']],
    [{ description: 'A city.' }, ['A city.']],
    [{ description: 'A city!' }, ['A city!']],
    [{ description: 'Which city?', type: 'date' }, ['Which city? Type: date.']],
    [{ type: 'integer' }, ['Type: integer.']],
    [{ type: 'number', default: 0 }, ['Default: 0.']],
    [{ type: 'boolean', default: false }, ['Default: false.']],
    [{ type: 'any', default: null }, ['Default: null.']],
    [{ type: 'array' }, []],
    [{ type: 'object' }, []],
    [{ description: 'Size', input_meanings: [{ value: 's', label: 'small' }, { value: 2, label: 'two' }] }, ['Size.', '"s": small', '2: two']],
  ])('of an input with %j', (given, comment) => {
    const { description: _, ...plain } = input('it')
    expect(only({ inputs: [{ ...plain, ...given } as Input] }).parameters[0]!.comment).toEqual(comment)
  }) // prettier-ignore

  it.each<[Partial<Capability>, readonly string[]]>([
    [{ description: 'Reads.', minimum_scope: [] }, ['Reads.', 'Changes nothing. Needs no scope.']],
    [
      { description: 'Writes.', side_effect: { type: 'write' }, minimum_scope: ['a.b', 'c.d'], cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 2 } }, approval: { required: 'always', grant_policy } },
      ['Writes.', 'Makes a reversible change. Needs a.b, c.d. Costs 2 EUR. Needs an approval.'],
    ],
  ])('of a capability with %j', (given, about) => {
    expect(only(given).about).toEqual(about)
  }) // prettier-ignore
})

describe('types of values', () => {
  it.each<[Partial<Input>, object]>([
    [
      { type: 'string', allowed_values: ['a', 'b', 'a'] },
      { kind: 'literals', literals: ['a', 'b'] },
    ],
    [
      { type: 'any', allowed_values: ['a', null] },
      { kind: 'word', word: 'Json' },
    ],
    [
      { type: 'object', allowed_values: [{}] },
      { kind: 'word', word: 'JsonObject' },
    ],
    [{ type: 'array' }, { kind: 'word', word: 'readonly Json[]' }],
    [{ type: 'integer' }, { kind: 'word', word: 'number' }],
    [{ type: 'number' }, { kind: 'word', word: 'number' }],
    [{ type: 'boolean' }, { kind: 'word', word: 'boolean' }],
    [{ type: 'airport_code' }, { kind: 'word', word: 'string' }],
  ])('%j', (given, type) => {
    expect(only({ inputs: [input('it', given)] }).parameters[0]!.type).toEqual(type)
  })
})
