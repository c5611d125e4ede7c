import { describe, expect, it } from 'vitest'
import type { Capability, Json } from '../../src/protocol/manifest.js'
import type { DelegationClaims, TokenRecord } from '../../src/protocol/token.js'
import type { Failure } from '../../src/protocol/failures.js'
import { countsGrant } from '../../src/runtime/approvals/conditions.js'
import { amountIsWithinBound } from '../../src/runtime/call/checks/amount-is-within-bound.js'
import { approvalIsGiven } from '../../src/runtime/call/checks/approval-is-given.js'
import { bindingFieldsArePresent } from '../../src/runtime/call/checks/binding-fields-are-present.js'
import { bindingsAreFreshAndGenuine } from '../../src/runtime/call/checks/bindings-are-fresh-and-genuine.js'
import { budgetCovers } from '../../src/runtime/call/checks/budget-covers.js'
import { capabilityBindingMatches } from '../../src/runtime/call/checks/capability-binding-matches.js'
import { capabilityIsNotPaused } from '../../src/runtime/call/checks/capability-is-not-paused.js'
import { chainIsShortEnough } from '../../src/runtime/call/checks/chain-is-short-enough.js'
import { effectsAreDeclared } from '../../src/runtime/call/checks/effects-are-declared.js'
import { connectionIsThere } from '../../src/runtime/call/checks/connection-is-there.js'
import { controlRequirementsHold, unmetRequirements } from '../../src/runtime/call/checks/control-requirements-hold.js'
import { decidingFacts } from '../../src/runtime/call/checks/deciding-facts.js'
import type { GovernedFacts, PresentedGrant } from '../../src/runtime/call/facts/facts.js'
import { CHECKS, enforce, firstFailure } from '../../src/runtime/call/checks/index.js'
import { principalMayCall } from '../../src/runtime/call/checks/principal-may-call.js'
import { scopeCovers } from '../../src/runtime/call/checks/scope-covers.js'
import { streamingIsSupported } from '../../src/runtime/call/checks/streaming-is-supported.js'
import { taskMatches } from '../../src/runtime/call/checks/task-matches.js'
import { capability } from './fixture/manifest.js'

const CLAIMS: DelegationClaims = {
  jti: 'tok_1', iss: 's', aud: 's', sub: 'human:ana', iat: 0, nbf: 0, exp: 9, root_principal: 'human:ana', scope: ['travel.search'],
  purpose: { parameters: {} }, constraints: { max_delegation_depth: 3, concurrent_branches: 'allowed' },
} // prettier-ignore

interface Given {
  readonly claims?: Partial<DelegationClaims>
  readonly depth?: number
  readonly depths?: readonly number[]
  readonly capability?: Partial<Capability>
  readonly facts?: Partial<GovernedFacts>
  readonly approval?: Partial<GovernedFacts['approval']>
}

function factsOf({ claims, depth = 0, depths = [3], capability: declared, facts, approval }: Given): GovernedFacts {
  const record: TokenRecord = { depth, claims: { ...CLAIMS, ...claims } }
  const link = (max_delegation_depth: number) => ({
    ...record,
    claims: { ...record.claims, constraints: { ...record.claims.constraints, max_delegation_depth } },
  })
  const [root = 3, ...others] = depths
  const chain = [link(root), ...others.map(link)] as const
  return {
    name: 'search',
    capability: capability(declared),
    token: { claims: record.claims, record, chain, read: { at: 0, afterRevocations: 0 } },
    request: { parameters: {} },
    inputs: {},
    bindings: [],
    now: Date.parse('2026-03-01T12:00:00.000Z'),
    approval: {
      settings: { request_ttl: 'PT24H', denial_holds: 'PT10M', allow_agents: false, separation_of_duties: true },
      needed: false,
      coversStep: false,
      digest: 'sha256:parameters',
      ...approval,
    },
    ...facts,
  }
}

/** Type, detail, requires and grantable_by of a failure; nothing when the check holds. */
const said = (failure: Failure | undefined): readonly (string | undefined)[] =>
  failure === undefined
    ? []
    : [failure.type, failure.detail, failure.resolution.requires, failure.resolution.grantable_by]

describe('requested effects', () => {
  it.each<[readonly string[] | undefined, readonly string[] | undefined, string | undefined]>([
    [undefined, undefined, undefined],
    [[], undefined, undefined],
    [['a'], ['a', 'b'], undefined],
    [['a', 'c', 'd'], ['a', 'b'], 'search does not produce "c", "d". It produces a, b.'],
    [['a'], undefined, 'search does not produce "a". It declares none.'],
    [['x'.repeat(50)], ['a'], `search does not produce "${'x'.repeat(40)}". It produces a.`],
  ])('%j of a capability that produces %j', (requested_effects, produces, detail) => {
    const declared = produces === undefined ? {} : { business_effects: { produces } }
    const request = { parameters: {}, ...(requested_effects && { requested_effects }) }
    const failed = effectsAreDeclared(factsOf({ capability: declared, facts: { request } }))
    expect([failed?.type, failed?.detail]).toEqual([detail && 'invalid_parameters', detail])
  })
})

describe('a connection', () => {
  const missing = { title: 'Mail', person: 'human:ana', wanted: [], url: 'https://svc.example/connect' } as const
  it('is there, or its person is told where to connect the account', () => {
    expect(said(connectionIsThere(factsOf({})))).toEqual([])
    expect(connectionIsThere(factsOf({ facts: { missing } }))).toEqual({
      type: 'connection_required',
      detail:
        'The account of human:ana at Mail is not connected. Open connection_url as human:ana, and make the call again.',
      retry: true,
      resolution: { action: 'provide_credentials', recovery_class: 'retry_now' },
      connection_url: 'https://svc.example/connect',
    })
  })

  it.each(['service:robot', 'agent:bot'] as const)('is nothing that %s could have', (person) => {
    expect(connectionIsThere(factsOf({ facts: { missing: { ...missing, person } } }))).toEqual({
      type: 'connection_required',
      detail: `Mail is used by accounts of people, and ${person} is none.`,
      retry: false,
      resolution: { action: 'contact_service_owner', recovery_class: 'terminal' },
    })
  })
})

describe('scope', () => {
  it('covers what it names, and nothing by prefix', () => {
    expect(said(scopeCovers(factsOf({ claims: { scope: ['b', 'a'] }, capability: { minimum_scope: ['a', 'b'] } })))).toEqual([])
    expect(said(scopeCovers(factsOf({ claims: { scope: ['a', 'b.c'] }, capability: { minimum_scope: ['a', 'b', 'c'] } })))).toEqual([
      'scope_insufficient', 'The token lacks b, c.', 'b, c', 'human:ana',
    ])
  }) // prettier-ignore
})

describe('a token that is bound to a capability', () => {
  it.each([
    [undefined, undefined, []],
    ['search', undefined, []],
    ['trip', 'trip', []],
    ['search', 'trip', ['purpose_mismatch', 'The token is bound to the capability search.', undefined, 'human:ana']],
    ['book', undefined, ['purpose_mismatch', 'The token is bound to the capability book.', undefined, 'human:ana']],
  ])('to %s, in a step of %s', (bound, composedBy, expected) => {
    const facts = factsOf({
      claims: { ...(bound !== undefined && { capability: bound }) },
      facts: { ...(composedBy !== undefined && { composedBy }) },
    })
    expect(said(capabilityBindingMatches(facts))).toEqual(expected)
  })
})

describe('a task', () => {
  it.each([
    [undefined, undefined, []],
    ['t', undefined, []],
    [undefined, 't', []],
    ['t', 't', []],
    ['t', 'u', ['purpose_mismatch', 'The token is bound to another task than the call.', undefined, undefined]],
  ])('of the token %s, of the call %s', (bound, task_id, expected) => {
    const facts = factsOf({
      claims: { purpose: { parameters: {}, ...(bound !== undefined && { task_id: bound }) } },
      facts: { request: { parameters: {}, ...(task_id !== undefined && { task_id }) } },
    })
    expect(said(taskMatches(facts))).toEqual(expected)
  })
})

describe('a class of principal', () => {
  const REFUSED = ['non_delegable_action', 'Only a human or service principal itself may invoke this capability.', undefined, 'human:ana']
  it.each<[string, Given, readonly (string | undefined)[]]>([
    ['is not asked for', { depth: 2 }, []],
    ['is met', { capability: { requires_principal: ['human', 'service'] } }, []],
    ['is not met', { claims: { sub: 'agent:a', root_principal: 'agent:a' }, capability: { requires_principal: ['human', 'service'] } }, [...REFUSED.slice(0, 3), 'agent:a']],
    ['is not met below the root', { depth: 1, capability: { requires_principal: ['human', 'service'] } }, REFUSED],
    ['is not met by somebody else', { claims: { sub: 'service:s' }, capability: { requires_principal: ['human', 'service'] } }, REFUSED],
  ])('%s', (_, given, expected) => {
    expect(said(principalMayCall(factsOf(given)))).toEqual(expected)
  })
}) // prettier-ignore

describe('a chain', () => {
  it('is as short as each of its links asks', () => {
    expect(said(chainIsShortEnough(factsOf({ depth: 2, depths: [3, 2, 5] })))).toEqual([])
    expect(said(chainIsShortEnough(factsOf({ depth: 3, depths: [3, 2, 5] })))).toEqual([
      'delegation_depth_exceeded', 'The token is at depth 3; its chain allows 2.', undefined, undefined,
    ])
  }) // prettier-ignore
})

it('a capability that is not paused', () => {
  expect(capabilityIsNotPaused(factsOf({}))).toBeUndefined()
  expect(capabilityIsNotPaused({ ...factsOf({}), isPaused: true })).toMatchObject({
    type: 'service_unavailable',
    retry: true,
    detail: 'The capability search is paused by an operator.',
  })
})

describe('control requirements', () => {
  const both = { control_requirements: [{ type: 'cost_ceiling' }, { type: 'stronger_delegation_required' }] } as const
  const budget = { constraints: { ...CLAIMS.constraints, budget: { currency: 'EUR', max_amount: 1 } } }
  it.each<[Given, readonly string[], string | undefined]>([
    [{}, [], undefined],
    [{ capability: both, claims: { ...budget, capability: 'search' } }, [], undefined],
    [{ capability: both, claims: { capability: 'search' } }, ['cost_ceiling'], 'request_budget_bound_delegation'],
    [{ capability: both, claims: { ...budget, capability: 'book' } }, ['stronger_delegation_required'], 'request_capability_binding'],
    [{ capability: both }, ['cost_ceiling', 'stronger_delegation_required'], 'request_budget_bound_delegation'],
  ])('of %j lack %j', (given, unmet, action) => {
    const facts = factsOf(given)
    expect(unmetRequirements(facts)).toEqual(unmet)
    const failure = controlRequirementsHold(facts)
    expect(failure?.resolution.action).toBe(action)
    const list = unmet.join(', ')
    expect(said(failure)).toEqual(
      unmet.length === 0 ? [] : ['control_requirement_unsatisfied', `The token does not meet ${list}.`, list, 'human:ana'],
    )
  })
}) // prettier-ignore

describe('a stream', () => {
  it.each([
    [undefined, ['unary'], undefined, []],
    [true, ['streaming'], undefined, []],
    [true, ['unary', 'streaming'], undefined, []],
    [true, ['unary'], 'trip', []],
    [true, ['unary'], undefined, ['streaming_not_supported', 'The capability search answers unary only.', undefined, undefined]],
    [false, ['streaming'], undefined, ['streaming_not_supported', 'The capability search answers streaming only.', undefined, undefined]],
  ] as const)('asked for as %s, where %j is given, in a step of %s', (stream, response_modes, composedBy, expected) => {
    const facts = factsOf({
      capability: { response_modes },
      facts: { request: { parameters: {}, ...(stream !== undefined && { stream }) }, ...(composedBy !== undefined && { composedBy }) },
    })
    expect(said(streamingIsSupported(facts))).toEqual(expected)
  })
}) // prettier-ignore

describe('a field that must carry a binding', () => {
  const requires_binding = [
    { type: 'quote', field: 'quote_id', source_capability: 'quote' },
    { type: 'seat', field: 'seat_id' },
  ] as const
  it.each<[{ readonly [name: string]: Json }, readonly (string | undefined)[]]>([
    [{ quote_id: 'q', seat_id: 's' }, []],
    [{ quote_id: 'q' }, ['binding_missing', 'The parameter seat_id must carry a seat binding.', 'seat_id', undefined]],
    [{ seat_id: 's', quote_id: null }, ['binding_missing', 'The parameter quote_id must carry a quote binding. Obtain one from quote.', 'quote_id', undefined]],
    [{}, ['binding_missing', 'The parameter quote_id must carry a quote binding. Obtain one from quote.', 'quote_id, seat_id', undefined]],
  ])('is there in %j', (parameters, expected) => {
    expect(said(bindingFieldsArePresent(factsOf({ capability: { requires_binding }, facts: { request: { parameters } } })))).toEqual(expected)
  })

  it('is needed nowhere else', () => {
    expect(said(bindingFieldsArePresent(factsOf({})))).toEqual([])
  })
}) // prettier-ignore

describe('a binding', () => {
  const now = Date.parse('2026-03-01T12:00:00.000Z')
  const known = { binding_id: 'q', type: 'quote', issued_at: now - 60_000 }
  const own = { ...known, root_principal: 'human:ana', capability: 'quote' } as const
  const asked = { type: 'quote', field: 'quote_id' }
  const STALE = ['binding_stale', 'The parameter quote_id carries no valid quote binding.', 'quote_id', undefined]
  it.each<[string, readonly object[], readonly (string | undefined)[]]>([
    ['holds where nobody asks for one', [], []],
    ['holds as one of the service', [{ ...asked, known: own }], []],
    ['holds as one of elsewhere', [{ ...asked, source_capability: 'quote', known }], []],
    ['holds from the capability it must come from', [{ ...asked, source_capability: 'quote', known: own }], []],
    ['holds at its oldest', [{ ...asked, max_age: 'PT1M', known: own }], []],
    ['holds at its youngest', [{ ...asked, max_age: 'PT1M', known: { ...own, issued_at: now } }], []],
    ['is nothing unknown', [{ ...asked, known: own }, asked], STALE],
    ['is of its type', [{ ...asked, known: { ...own, type: 'seat' } }], STALE],
    ['is of its principal', [{ ...asked, known: { ...own, root_principal: 'human:eve' } }], STALE],
    ['is of its source', [{ ...asked, source_capability: 'other', known: own }], [STALE[0], 'The parameter quote_id carries no valid quote binding. Obtain a new one from other.', 'quote_id', undefined]],
    ['is not too old', [{ ...asked, max_age: 'PT59.999S', known: own }], STALE],
    ['is not of an age that nobody understands', [{ ...asked, max_age: 'soon', known: own }], STALE],
    ['is not of the future', [{ ...asked, known: { ...own, issued_at: now + 1 } }], STALE],
  ])('%s', (_, bindings, expected) => {
    expect(said(bindingsAreFreshAndGenuine(factsOf({ facts: { bindings: bindings as GovernedFacts['bindings'], now } })))).toEqual(expected)
  })
}) // prettier-ignore

describe('a budget', () => {
  const eur = (max_amount: number) => ({ claims: { constraints: { ...CLAIMS.constraints, budget: { currency: 'EUR', max_amount } } } })
  const fixed = (amount: number, currency = 'EUR') => ({ certainty: 'fixed', financial: { currency, amount } }) as const
  const estimated = { certainty: 'estimated', financial: { currency: 'EUR', range_min: 1, range_max: 2 } } as const
  const bound = (amount: number, currency = 'EUR') => [{ type: 'quote', field: 'q', known: { binding_id: 'q', type: 'quote', issued_at: 0, price: { currency, amount } } }] as never
  it.each<[string, Given, readonly (string | undefined)[]]>([
    ['is not needed', { facts: { cost: fixed(5) } }, []],
    ['is not asked where nothing costs money', eur(0), []],
    ['is not asked where nothing is said of money', { ...eur(0), facts: { cost: { certainty: 'fixed' } } }, []],
    ['covers its very amount', { ...eur(5), facts: { cost: fixed(5) } }, []],
    ['covers no cent more', { ...eur(5), facts: { cost: fixed(5.01) } }, ['budget_exceeded', 'The cost of 5.01 EUR exceeds the budget of 5 EUR.', undefined, 'human:ana']],
    ['covers no amount that is none', { ...eur(5), facts: { cost: fixed(0.001) } }, ['budget_exceeded', 'The cost of 0.001 EUR exceeds the budget of 5 EUR.', undefined, 'human:ana']],
    ['is of its currency', { ...eur(5), facts: { cost: fixed(1, 'USD') } }, ['budget_currency_mismatch', 'The budget is in EUR, the cost in USD.', undefined, undefined]],
    ['covers a price that is bound', { ...eur(5), facts: { cost: estimated, bindings: bound(5) } }, []],
    ['is of the currency of the price', { ...eur(5), facts: { cost: estimated, bindings: bound(5, 'USD') } }, ['budget_currency_mismatch', 'The budget is in EUR, the cost in USD.', undefined, undefined]],
    ['covers no estimate', { ...eur(5), facts: { cost: estimated } }, ['budget_not_enforceable', 'The cost is an estimate, and no binding fixes the price.', undefined, undefined]],
    ['says where a price is bound', { ...eur(5), capability: { requires_binding: [{ type: 'quote', field: 'q' }, { type: 'seat', field: 's' }] }, facts: { cost: estimated } }, ['budget_not_enforceable', 'The cost is an estimate, and no binding fixes the price.', 'q, s', undefined]],
  ])('%s', (_, given, expected) => {
    expect(said(budgetCovers(factsOf(given)))).toEqual(expected)
  })
}) // prettier-ignore

describe('an approval', () => {
  const requester = { subject: 'human:ana', root_principal: 'human:ana', token_id: 'tok_1' } as const
  const presented = {
    uses: 0,
    isGenuine: true,
    isStillGiven: true,
    grant: {
      requester, approver: 'human:bob', capability: 'search', parameters_digest: 'sha256:parameters', scope: ['travel.search'], session_id: null,
      expires_at: '2026-03-01T12:00:00.001Z', max_uses: 1,
    },
    request: { status: 'approved', approver: 'human:bob', capability: 'search', requested_parameters_digest: 'sha256:parameters' },
  } as unknown as PresentedGrant
  const composition = { steps: [{ id: 'a', capability: 'pay' }, { id: 'b', capability: 'book' }] } as unknown as NonNullable<Capability['composition']>
  const step = { id: 'b', capability: 'book', parameters_digest: 'sha256:p', progress_digest: 'sha256:q' }
  const progress = [{ id: 'a', capability: 'pay' }]
  const changed = (change: object, grant: object = {}, request: object = {}) =>
    ({ ...presented, ...change, grant: { ...presented.grant, ...grant }, request: { ...presented.request, ...request } }) as PresentedGrant
  const REQUIRED = ['approval_required', 'The capability search needs an approval for these parameters.', undefined, undefined]
  const invalid = (detail: string) => ['approval_grant_invalid', detail, undefined, undefined]

  it.each<[string, Given, readonly (string | undefined)[]]>([
    ['is not needed', {}, []],
    ['is not needed, whatever grant is given', { approval: { grantId: 'g' } }, []],
    ['is needed', { approval: { needed: true } }, REQUIRED],
    ['is given', { approval: { needed: true, grantId: 'g', presented } }, []],
    ['is given for a handler that may ask', { capability: { approval: { required: 'handler', policy: {} } as never }, approval: { grantId: 'g' } }, invalid('There is no such grant for this requester.')],
    ['is given for a step that may ask', { capability: { composition }, approval: { grantId: 'g' } }, invalid('There is no such grant for this requester.')],
    ['is given for a step', { capability: { composition }, approval: { grantId: 'g', presented: changed({}, { step }, { progress }) } }, []],
    ['is given for a session', { claims: { session_id: 's' }, approval: { needed: true, grantId: 'g', presented: changed({}, { session_id: 's' }) } }, []],
  ])('%s', (_, given, expected) => {
    expect(said(approvalIsGiven(factsOf(given)))).toEqual(expected)
  })

  it.each<[string, string, Given, PresentedGrant | undefined]>([
    ['not_found', 'There is no such grant for this requester.', {}, undefined],
    ['not_found', 'There is no such grant for this requester.', {}, changed({}, { requester: { ...requester, root_principal: 'human:eve' } })],
    ['requester_mismatch', 'The grant was made for another requester.', {}, changed({}, { requester: { ...requester, subject: 'agent:a' } })],
    ['requester_mismatch', 'The grant was made for another requester.', {}, changed({ path: ['agent:other', requester.subject] })],
    ['requester_mismatch', 'The grant was made for another requester.', {}, changed({ path: [] })],
    ['request_mismatch', 'The grant does not belong to an approved request.', {}, changed({ isGenuine: false })],
    ['request_mismatch', 'The grant does not belong to an approved request.', {}, { ...changed({}), request: undefined } as never],
    ['request_mismatch', 'The grant does not belong to an approved request.', {}, changed({}, {}, { status: 'denied' })],
    ['request_mismatch', 'The grant does not belong to an approved request.', {}, changed({}, {}, { approver: 'human:carl' })],
    ['request_mismatch', 'The grant does not belong to an approved request.', {}, changed({}, {}, { capability: 'book' })],
    ['request_mismatch', 'The grant does not belong to an approved request.', {}, changed({}, { step }, { progress })],
    ['request_mismatch', 'The grant does not belong to an approved request.', { capability: { composition } }, changed({}, { step }, { progress: [] })],
    ['request_mismatch', 'The grant does not belong to an approved request.', { capability: { composition } }, changed({}, { step }, { progress: [{ id: 'c', capability: 'pay' }] })],
    ['request_mismatch', 'The grant does not belong to an approved request.', { capability: { composition } }, changed({}, { step }, { progress: [{ id: 'a', capability: 'see' }] })],
    ['request_mismatch', 'The grant does not belong to an approved request.', { capability: { composition } }, changed({}, { step: { ...step, id: 'c' } }, { progress })],
    ['request_mismatch', 'The grant does not belong to an approved request.', { capability: { composition } }, changed({}, { step: { ...step, capability: 'pay' } }, { progress })],
    ['request_mismatch', 'The grant does not belong to an approved request.', { capability: { composition } }, changed({}, { step }, { progress: [...progress, { id: 'b', capability: 'book' }] })],
    ['capability_mismatch', 'The grant is for another capability.', {}, changed({}, { capability: 'book' }, { capability: 'book' })],
    ['parameters_mismatch', 'The grant is for other parameters.', {}, changed({}, { parameters_digest: 'sha256:others' })],
    ['parameters_mismatch', 'The grant is for other parameters.', {}, changed({}, {}, { requested_parameters_digest: 'sha256:others' })],
    ['scope_mismatch', 'The token lacks a scope that the grant names.', {}, changed({}, { scope: ['travel.search', 'travel.book'] })],
    ['session_mismatch', 'The grant is bound to another session.', {}, changed({}, { session_id: 's' })],
    ['session_mismatch', 'The grant is bound to another session.', { claims: { session_id: 't' } }, changed({}, { session_id: 's' })],
    ['approver_not_allowed', 'The approver of the grant was not allowed to decide, or is not any more.', {}, changed({ isStillGiven: false })],
    ['approver_not_allowed', 'The approver of the grant was not allowed to decide, or is not any more.', {}, changed({}, { approver: 'human:ana' }, { approver: 'human:ana' })],
    ['approver_not_allowed', 'The approver of the grant was not allowed to decide, or is not any more.', {}, changed({}, { approver: 'agent:a' }, { approver: 'agent:a' })],
    ['expired', 'The grant has expired.', {}, changed({}, { expires_at: '2026-03-01T12:00:00.000Z' })],
    ['consumed', 'The grant is used up. Call without it to open a new approval request.', {}, changed({ uses: 1 })],
    ['consumed', 'The grant is used up. Call without it to open a new approval request.', {}, changed({ uses: 2 })],
  ])('is not given: %s, %s', (reason, detail, given, shown) => {
    const failure = approvalIsGiven(factsOf({ ...given, approval: { needed: true, grantId: 'g', ...(shown !== undefined && { presented: shown }) } }))
    expect([failure?.reason, failure?.detail]).toEqual([reason, detail])
  })

  it('counts where one is needed, or may turn out to be', () => {
    const approval = (required: string) => ({ approval: { required } }) as never
    const counts = (given: Given) => {
      const { capability, approval } = factsOf(given)
      return countsGrant(capability, approval.needed)
    }
    expect(counts({})).toBe(false)
    expect(counts({ approval: { needed: true } })).toBe(true)
    expect(counts({ capability: approval('always') })).toBe(false)
    expect(counts({ capability: approval('handler') })).toBe(true)
    expect(counts({ capability: { composition } })).toBe(true)
  })
}) // prettier-ignore

const QUOTED = { requires_binding: [{ type: 'quote', field: 'q' }] }
const PAID = { certainty: 'fixed', financial: { currency: 'EUR', amount: 1 } }
const DOLLARS = {
  constraints: { ...CLAIMS.constraints, budget: { currency: 'USD', max_amount: 9 } },
}

describe('amountIsWithinBound', () => {
  const cost = { certainty: 'dynamic', financial: { currency: 'EUR', upper_bound: 5, 'x-amount-input': 'amount' } } as const // prettier-ignore
  const refused = [
    'invalid_parameters',
    'Not valid: amount must be an amount from 0 to 5 EUR, with at most 2 decimals.',
  ]
  it.each<[string, Partial<Capability>, number, readonly unknown[]]>([
    ['takes the bound itself', { cost }, 5, []],
    ['refuses what is above it', { cost }, 5.01, refused],
    ['refuses a third decimal', { cost }, 1.005, refused],
    ['refuses less than nothing', { cost }, -1, refused],
    ['asks nothing where no input is named', { cost: { ...cost, financial: { currency: 'EUR', upper_bound: 5 } } }, 9, []],
    ['asks nothing where a binding fixes the price', { cost, requires_binding: [{ type: 'quote', field: 'q' }] }, 9, []],
    ['asks nothing of a fixed cost', { cost: { ...cost, certainty: 'fixed' } }, 9, []],
  ])('%s', (_, given, amount, expected) => {
    const failure = amountIsWithinBound(factsOf({ capability: given, facts: { inputs: { amount } } }))
    expect(failure === undefined ? [] : [failure.type, failure.detail]).toEqual(expected)
  }) // prettier-ignore
})

describe('the checks', () => {
  it('stand in the order of section 5.7, each with what it reads', () => {
    expect(CHECKS.map(({ reads, check }) => [reads, check])).toEqual([
      ['call', streamingIsSupported], ['token', principalMayCall], ['token', scopeCovers], ['token', capabilityBindingMatches], ['call', taskMatches],
      ['token', chainIsShortEnough], ['token', controlRequirementsHold], ['call', effectsAreDeclared], ['call', capabilityIsNotPaused], ['fields', bindingFieldsArePresent], ['binding', connectionIsThere], ['binding', bindingsAreFreshAndGenuine],
      ['price', amountIsWithinBound], ['price', budgetCovers], ['approval', approvalIsGiven],
    ]) // prettier-ignore
  })

  it('fail with the first that does', () => {
    const facts = factsOf({ capability: { minimum_scope: ['no'] }, claims: { capability: 'other' } })
    expect(firstFailure('call', facts)?.type).toBe('scope_insufficient')
    expect(firstFailure('call', factsOf({ claims: { capability: 'other' } }))?.type).toBe('purpose_mismatch')
    expect(firstFailure('call', factsOf({}))).toBeUndefined()
  })

  it.each([
    ['token', { capability: { minimum_scope: ['no'] } }, 'scope_insufficient'],
    ['token', { facts: { request: { parameters: {}, stream: true } } }, undefined],
    ['call', { facts: { request: { parameters: {}, stream: true } } }, 'streaming_not_supported'],
    ['call', { capability: { minimum_scope: ['no'] } }, 'scope_insufficient'],
    ['call', { capability: QUOTED }, undefined],
    ['fields', { capability: QUOTED }, 'binding_missing'],
    ['fields', { capability: { minimum_scope: ['no'] } }, undefined],
    ['binding', { facts: { bindings: [{ type: 'quote', field: 'q' }] } }, 'binding_stale'],
    ['binding', { claims: DOLLARS, facts: { cost: PAID } }, undefined],
    ['price', { claims: DOLLARS, facts: { cost: PAID } }, 'budget_currency_mismatch'],
    ['price', { approval: { needed: true } }, undefined],
    ['approval', { approval: { needed: true } }, 'approval_required'],
  ] as const)('until %s, of %j, give %s', (until, given, type) => {
    const facts = factsOf(given as Given)
    expect(firstFailure(until, facts)?.type).toBe(type)
    if (type === undefined) expect(enforce(until, facts)).toBe(facts)
    else expect(() => enforce(until, facts)).toThrow(firstFailure(until, facts)!.detail)
  })
})

describe('the facts that decide', () => {
  const composition = { steps: [{ id: 'a', capability: 'pay' }, { id: 'b', capability: 'book' }] } as never
  const capabilities = (pay: string, book: string) =>
    new Map([['pay', capability({ minimum_scope: [pay] })], ['book', capability({ minimum_scope: [book] })]])
  const trip = factsOf({ capability: { composition } })
  it.each([
    ['the call', trip, 'travel.search', 'travel.search', trip],
    ['the call, where it fails', { ...trip, name: 'x', capability: capability({ composition, minimum_scope: ['no'] }) }, 'no', 'no', { name: 'x' }],
    ['the call, where it has no steps', { ...trip, capability: capability() }, 'no', 'no', { name: 'search' }],
    ['the first step that is not covered', trip, 'travel.search', 'no', { name: 'book', token: trip.token, composedBy: 'search' }],
    ['the first of two steps', trip, 'no', 'no', { name: 'pay', token: trip.token, composedBy: 'search' }],
  ])('are those of %s', (_, facts, pay, book, expected) => {
    expect(decidingFacts(capabilities(pay, book), facts)).toMatchObject(expected)
  })
}) // prettier-ignore
