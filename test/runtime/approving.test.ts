import { afterEach, describe, expect, it, vi } from 'vitest'
import { digestOf } from '../../src/crypto/json/digest.js'
import type { ApprovalGrant, ApprovalRequest, GrantRequest } from '../../src/protocol/approval.js'
import type { ApprovalCondition, Composition, GrantPolicy, Json, JsonObject } from '../../src/protocol/manifest.js'
import {
  approvableBy,
  hasApproverScope,
  partyOf,
  requestToDecide,
  type Party,
} from '../../src/runtime/approvals/approver.js'
import { isApprovalNeeded } from '../../src/runtime/approvals/conditions.js'
import {
  continuesWith,
  gatedStepOf,
  progressDigest,
  shownToApprover,
  shownToRequester,
  waitingStep,
} from '../../src/runtime/approvals/gated-step.js'
import { giveApproval } from '../../src/runtime/approvals/give.js'
import { grantApproval } from '../../src/runtime/approvals/grant.js'
import { grantRequestOf, termsWithin } from '../../src/runtime/approvals/grant-request.js'
import { presentedGrant } from '../../src/runtime/call/presented-grant.js'
import { waitsForPerson } from '../../src/runtime/approvals/answer-to-caller.js'
import { raiseApproval, type Asked } from '../../src/runtime/call/raise.js'
import { recordApproval } from '../../src/runtime/approvals/record-approval.js'
import { isSeparated } from '../../src/runtime/approvals/separation.js'
import { decisionWatch } from '../../src/runtime/audit/decision-watch.js'
import { waitForDecision } from '../../src/runtime/approvals/wait.js'
import { Refusal } from '../../src/runtime/errors/refusal.js'
import type { Service } from '../../src/runtime/service.js'
import { StorageUnavailable, type Settlement, type StoredRequest } from '../../src/runtime/storage/contract.js'
import { capability } from './fixture/manifest.js'
import { KEYS, startFixture } from './fixture/service.js'

const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const POLICY: GrantPolicy = {
  allowed_grant_types: ['one_time', 'session_bound'],
  default_grant_type: 'one_time',
  expires_in_seconds: 900,
  max_uses: 3,
}
const REQUESTER = { subject: 'agent:planner', root_principal: 'human:ana', token_id: 'tok_2' } as const
const STEP = {
  id: 'b',
  capability: 'pay',
  parameters: { to: 'x' },
  parameters_digest: 'sha256:p',
  progress_digest: progressDigest([]),
}
const REQUEST: ApprovalRequest = {
  approval_request_id: 'apr_1',
  capability: 'book',
  scope: ['travel.book'],
  requester: REQUESTER,
  requested_parameters: { hotel: 'Ritz' },
  requested_parameters_digest: 'sha256:r',
  grant_policy: POLICY,
  parent_invocation_id: 'inv-0',
  status: 'pending',
  approver: null,
  decided_at: null,
  reason: null,
  created_at: '2026-03-01T11:00:00.000Z',
  expires_at: '2026-03-01T13:00:00.000Z',
}
const BOB: Party = { principal: 'human:bob', rootPrincipal: 'human:bob', principals: ['human:bob'], scopes: ['approver:book'], chain: [] } // prettier-ignore

/** What was refused, as type and detail, or the answer. */
async function outcomeOf(act: () => unknown): Promise<unknown> {
  try {
    return await act()
  } catch (error) {
    return error instanceof Refusal ? [error.failure.type, error.failure.detail] : error
  }
}

interface Given {
  readonly approvals?: object
  readonly manifest?: object
  readonly chain?: readonly string[]
}

/** Just what approvals need of a service, and what it recorded. */
function serviceWith({ approvals = {}, manifest = {}, chain = ['tok_1', 'tok_2'] }: Given = {}) {
  const recorded: Settlement[] = []
  const alarms: string[] = []
  const service = {
    now: () => NOW,
    lifecycle: { draining: false },
    decisions: decisionWatch(),
    keys: { ring: () => KEYS },
    ids: { make: (kind: string) => `${kind}_1` },
    limits: { approvalBytes: 65_536, pendingApprovalsPerRequester: 7, pendingApprovalsPerChain: 8, pendingApprovalsPerRoot: 9, approvalRequestsPerMinute: 60 },
    manifest: { capabilities: {}, approvals: { request_ttl: 'PT1H', denial_holds: 'PT10M', allow_agents: false, separation_of_duties: true, ...manifest } },
    capabilities: new Map([['book', capability()], ['other', capability()]]),
    alarms: { add: (name: string) => alarms.push(name) },
    notify: [],
    pages: {},
    record: (settlement: Settlement) => (recorded.push(settlement), Promise.resolve(undefined)),
    storage: {
      approvals,
      tokens: { chain: () => Promise.resolve(chain.map((jti) => ({ claims: { jti, sub: 'agent:planner' } }))) },
      accounts: { namesOf: (principals: readonly string[]) => Promise.resolve(principals) },
      operators: { blockOf: () => Promise.resolve(undefined) },
    },
  } as unknown as Service
  return { service, recorded, alarms }
} // prettier-ignore

describe('a condition', () => {
  const needs = (condition: object, inputs: JsonObject = { price: 5 }) =>
    isApprovalNeeded({ required: { when: [{ input: 'price', ...condition } as ApprovalCondition] }, grant_policy: POLICY }, inputs, undefined)

  it.each<[object, Json, boolean]>([
    [{ not_equals: 5 }, 5, false], [{ not_equals: [1] }, [1], false], [{ equals: { a: 1 } }, { a: 1 }, true], [{ in: [[1], 2] }, [1], true], [{ in: 5 }, 5, false],
    [{ at_least: 5 }, 5, true], [{ at_least: 5 }, 4.99, false], [{ below: [1] }, [2], true], [{ below: false }, true, true], [{ at_least: 5 }, 5.01, true], [{ at_most: 5 }, 5.01, false], [{ at_most: 5 }, 4, true], [{ below: 5 }, 6, false], [{ above: 5 }, 4, false],
    [{ above: 'PT1H' }, 'PT1H', false], [{ at_most: 'PT1H' }, 'PT60M', true], [{ below: 'PT1H' }, 'PT59M', true], [{ above: 'P0D' }, 'PT0S', false],
    [{ above: '2026-06-01T00:00:00Z' }, '2026-06-01t00:00:00.001z', true], [{ below: '2026-06-01T00:00:00Z' }, '2026-06-01T00:00:00+00:00', false],
    [{ above: 'b' }, 'a', false], [{ above: 'b' }, 'c', true], [{ below: 'b' }, 'b', false],
    [{ above: true }, 1, true], [{ above: 1 }, false, true], [{ below: 5 }, null, true], [{ above: 5 }, 'PT1S', true], [{ above: 5 }, 'x', true], [{ below: 'x' }, 'PT1S', true],
  ])('%j of %j is %s', (condition, price, needed) => {
    expect(needs(condition, { price })).toBe(needed)
  })

  it('holds where the input was left out: somebody looks at the call', () => {
    expect(needs({ input: 'toString', not_equals: 'x' }, {})).toBe(true)
    expect(needs({ below: 5 }, {})).toBe(true)
    expect(needs({ above: 5 }, {})).toBe(true)
    expect(needs({ equals: 5 }, {})).toBe(true)
    expect(needs({}, {})).toBe(true)
  })

  it.each<[object, number | undefined, string, boolean]>([
    [{ above: 500 }, 500, 'EUR', false], [{ above: 500 }, 500.01, 'EUR', true], [{ at_least: 500 }, 500, 'EUR', true], [{ at_least: 500 }, 499.99, 'EUR', false],
    [{ above: 0.1, at_least: 5 }, 4, 'EUR', false], [{ above: 0.3 }, 0.3, 'BHD', false], [{ above: 1.5 }, 1, 'JPY', true], [{ above: 500 }, 0.001, 'EUR', true],
    [{ above: 500 }, undefined, 'EUR', true], [{ at_least: 500 }, undefined, 'EUR', true],
  ])('on cost, %j of %s %s, is %s', (cost, amount, currency, needed) => {
    const approval = { required: { when: [{ cost }] }, grant_policy: POLICY }
    expect(isApprovalNeeded(approval, {}, amount === undefined ? undefined : { amount, currency })).toBe(needed)
  })

  it('is one of all', () => {
    const when = [{ input: 'price', above: 1 }, { input: 'hotel', equals: 'Ritz' }] as const
    expect(isApprovalNeeded({ required: { when }, grant_policy: POLICY }, { price: 2, hotel: 'Ritz' }, undefined)).toBe(true)
    expect(isApprovalNeeded({ required: { when }, grant_policy: POLICY }, { price: 2, hotel: 'Savoy' }, undefined)).toBe(false)
  })

  it('is not asked where an approval is needed always, or never, or as the handler says', () => {
    expect(isApprovalNeeded(undefined, {}, undefined)).toBe(false)
    expect(isApprovalNeeded({ required: 'always', grant_policy: POLICY }, {}, undefined)).toBe(true)
    expect(isApprovalNeeded({ required: 'handler', grant_policy: POLICY }, {}, undefined)).toBe(false)
  })
}) // prettier-ignore

describe('the body of a grant', () => {
  const least = { approval_request_id: 'apr_1', grant_type: 'one_time' }

  it('is read', () => {
    expect(grantRequestOf(least)).toStrictEqual(least)
    expect(grantRequestOf({ ...least, session_id: null })).toStrictEqual(least)
    const all = { ...least, grant_type: 'session_bound', session_id: 's', expires_in_seconds: 1, max_uses: 1 }
    expect(grantRequestOf(all)).toStrictEqual(all)
    const plain = { approval_request_id: 'apr_1', reason: '東'.repeat(1000) }
    expect(grantRequestOf({ ...plain, grant_type: null })).toStrictEqual(plain)
  })

  it.each<[Json | undefined, string]>([
    [undefined, 'The request body must be a JSON object.'],
    [{ ...least, why: 'x' }, 'The request has unknown members: "why". Known are approval_request_id, grant_type, session_id, expires_in_seconds, max_uses, reason.'],
    [{ ...least, reason: '' }, 'The member reason must be a text of 1 to 1000 characters.'],
    [{ ...least, reason: '😀'.repeat(1001) }, 'The member reason must be a text of 1 to 1000 characters.'],
    [{ grant_type: 'one_time' }, 'The member approval_request_id is required.'],
    [{ ...least, grant_type: 'x' }, 'The member grant_type must be one of one_time, session_bound.'],
    [{ ...least, session_id: '' }, 'The member session_id must be a string of 1 to 256 characters.'],
    [{ ...least, expires_in_seconds: 0 }, 'The member expires_in_seconds must be a whole number of seconds above 0.'],
    [{ ...least, expires_in_seconds: 1.5 }, 'The member expires_in_seconds must be a whole number of seconds above 0.'],
    [{ ...least, max_uses: 0 }, 'The member max_uses must be a whole number above 0.'],
    [{ ...least, max_uses: -1 }, 'The member max_uses must be a whole number above 0.'],
  ])('%j is refused: %s', async (body, detail) => {
    expect(await outcomeOf(() => grantRequestOf(body))).toEqual(['invalid_parameters', detail])
  })
}) // prettier-ignore

describe('a party', () => {
  const calling = (bearer: string) => ({ authorization: `Bearer ${bearer}`, client: 'c', caller: {} })

  it('has the scopes of its credential, and no chain', async () => {
    const { service } = await startFixture()
    const bob = { principal: 'human:bob', rootPrincipal: 'human:bob', principals: ['human:bob'], scopes: ['approver:book', 'approver:trip', 'travel.search'], bounds: ['approver:book', 'approver:trip', 'travel.search'], chain: [], credential: { api_key: 'bob' } }
    expect(await partyOf(service, calling('bob-key'))).toStrictEqual(bob)
    expect(await partyOf(service, calling('eve-key'))).toStrictEqual({ principal: 'human:eve', rootPrincipal: 'human:eve', principals: ['human:eve'], scopes: [], chain: [], credential: { api_key: 'eve' } })
  })

  it('has the scopes of its token, and its chain; its class is that of the call', async () => {
    const { service, root, issued } = await startFixture()
    const parent = await root({ subject: 'agent:planner', caller_class: 'internal' })
    const child = await issued(parent.token, { scope: ['travel.search'], subject: 'agent:worker', parent_token: parent.token_id })
    const call = calling(child.token)
    expect(await partyOf(service, call)).toStrictEqual({
      principal: 'agent:worker', rootPrincipal: 'human:ana', principals: ['human:ana', 'agent:planner', 'agent:worker'], scopes: ['travel.search'], bounds: ['travel.search'], classes: ['internal'], chain: [parent.token_id, child.token_id],
      credential: { api_key: 'ana' }, isNamed: true,
    })
    expect(call.caller).toStrictEqual({ principal: 'human:ana', tokenId: child.token_id, chain: [parent.token_id, child.token_id], class: 'internal' })
  })

  it('has no class where its token has none', async () => {
    const { service, root } = await startFixture()
    const { token, token_id } = await root()
    const call = calling(token)
    await partyOf(service, call)
    expect(call.caller).toStrictEqual({ principal: 'human:ana', tokenId: token_id, chain: [token_id] })
  })
}) // prettier-ignore

describe('the terms of a grant', () => {
  const terms = (asked: Partial<GrantRequest>, policy: Partial<GrantPolicy> = {}) =>
    outcomeOf(() => termsWithin({ ...POLICY, ...policy }, { approval_request_id: 'apr_1', grant_type: 'one_time', ...asked }))

  it.each<[Partial<GrantRequest>, object]>([
    [{}, { grant_type: 'one_time', session_id: null, expires_in_seconds: 900, max_uses: 1 }],
    [{ max_uses: 1, expires_in_seconds: 900 }, { grant_type: 'one_time', session_id: null, expires_in_seconds: 900, max_uses: 1 }],
    [{ grant_type: 'session_bound', session_id: 's' }, { grant_type: 'session_bound', session_id: 's', expires_in_seconds: 900, max_uses: 3 }],
    [{ grant_type: 'session_bound', session_id: 's', max_uses: 3, expires_in_seconds: 1 }, { grant_type: 'session_bound', session_id: 's', expires_in_seconds: 1, max_uses: 3 }],
  ])('%j are within the policy', async (asked, expected) => {
    expect(await terms(asked)).toStrictEqual(expected)
  })

  it('are those of the default type where none is named, in the session that asked', () => {
    const bare = { approval_request_id: 'apr_1' }
    const bound = { ...POLICY, default_grant_type: 'session_bound' } as const
    expect(termsWithin(POLICY, bare, 's-1')).toMatchObject({ grant_type: 'one_time', session_id: null, max_uses: 1 })
    expect(termsWithin(bound, bare, 's-1')).toMatchObject({ grant_type: 'session_bound', session_id: 's-1', max_uses: 3 })
    expect(termsWithin(bound, { ...bare, session_id: 's-2' }, 's-1')).toMatchObject({ session_id: 's-2' })
    expect(() => termsWithin(bound, bare)).toThrow(Refusal)
    expect(() => termsWithin(bound, { ...bare, grant_type: 'session_bound' }, 's-1')).toThrow(Refusal)
  })

  it.each<[Partial<GrantRequest>, Partial<GrantPolicy>, string]>([
    [{}, { allowed_grant_types: ['session_bound'] }, 'Grants of this request are session_bound.'],
    [{ grant_type: 'x' as never }, {}, 'Grants of this request are one_time or session_bound.'],
    [{ session_id: 's' }, {}, 'The member session_id is required for session_bound grants and for no others.'],
    [{ grant_type: 'session_bound' }, {}, 'The member session_id is required for session_bound grants and for no others.'],
    [{ expires_in_seconds: 901 }, {}, 'A grant may last 900 s at most.'],
    [{ max_uses: 2 }, {}, 'A one_time grant may be used 1 times at most.'],
    [{ grant_type: 'session_bound', session_id: 's', max_uses: 4 }, {}, 'A session_bound grant may be used 3 times at most.'],
  ])('%j are not within %j: %s', async (asked, policy, detail) => {
    expect(await terms(asked, policy)).toEqual(['grant_policy_violation', detail])
  })
}) // prettier-ignore

describe('an approver', () => {
  const settings = { request_ttl: 'PT1H', denial_holds: 'PT10M', allow_agents: false, separation_of_duties: true }
  it.each([
    ['human:bob', settings, true],
    ['service:desk', settings, false],
    ['service:desk', { ...settings, allow_agents: true }, true],
    ['agent:planner', { ...settings, allow_agents: true }, false],
    ['human:ana', settings, false],
    ['human:ana', { ...settings, separation_of_duties: false }, true],
    ['agent:other', settings, false],
    ['agent:other', { ...settings, allow_agents: true }, true],
  ] as const)('%s under %j is separated: %s', (approver, approvals, expected) => {
    expect(isSeparated(approvals, REQUESTER, approver)).toBe(expected)
  })

  it('has a scope for the capability, or for all', () => {
    const { service } = serviceWith({ manifest: { approver_scope: 'desk' } })
    const having = (...scopes: readonly string[]) => approvableBy(service, { ...BOB, scopes })
    expect(having('approver:book')).toEqual(['book'])
    expect(having('desk')).toEqual(['book', 'other'])
    expect(having('travel.search', 'approver:none')).toEqual([])
    expect(hasApproverScope(serviceWith().service, { ...BOB, scopes: ['desk'] }, 'book')).toBe(false)
  })

  const NOT_FOUND = ['approval_request_not_found', 'There is no such approval request.']
  const UNAUTHORIZED = ['approver_not_authorized', 'This credential may not decide this request.']
  const decide = (party: Partial<Party>, request: Partial<ApprovalRequest> | undefined = {}, given: Given = {}) => {
    const stored = request.approval_request_id === 'none' ? undefined : { ...REQUEST, ...request }
    const { service } = serviceWith({ approvals: { get: () => Promise.resolve(stored) }, ...given })
    return outcomeOf(() => requestToDecide(service, { ...BOB, ...party }, 'apr_1'))
  }

  it.each<[string, Partial<Party>, Partial<ApprovalRequest>, Given, unknown]>([
    ['with a credential', {}, {}, {}, REQUEST],
    ['with a token of another chain', { chain: ['tok_8', 'tok_9'] }, {}, {}, REQUEST],
    ['whose root principal asked, where that is allowed', { rootPrincipal: 'human:ana', principals: ['human:ana', 'human:bob'] }, {}, { manifest: { separation_of_duties: false } }, REQUEST],
    ['of what is not there', {}, { approval_request_id: 'none' }, {}, NOT_FOUND],
    ['of what is not there, without any scope', { scopes: [] }, { approval_request_id: 'none' }, {}, UNAUTHORIZED],
    ['without a scope for it', { scopes: ['approver:other'] }, {}, {}, UNAUTHORIZED],
    ['who asked', { principal: 'agent:planner' }, {}, { manifest: { allow_agents: true } }, UNAUTHORIZED],
    ['whose root principal asked', { rootPrincipal: 'human:ana', principals: ['human:ana', 'human:bob'] }, {}, {}, UNAUTHORIZED],
    ['by the authority of an agent', { principals: ['human:bob', 'agent:desk', 'human:bob'] }, {}, {}, UNAUTHORIZED],
    ['by the authority of an agent, where agents may', { principals: ['human:bob', 'agent:desk', 'human:bob'] }, {}, { manifest: { allow_agents: true } }, REQUEST],
    ['with the token that asked', { chain: ['tok_1', 'tok_2'] }, {}, {}, UNAUTHORIZED],
    ['with a token below the one that asked', { chain: ['tok_1', 'tok_2', 'tok_3'] }, {}, {}, UNAUTHORIZED],
    ['with a token above the one that asked', { chain: ['tok_1'] }, {}, {}, UNAUTHORIZED],
    ['of what was decided', {}, { status: 'denied' }, {}, ['approval_request_closed', 'The approval request is denied already.']],
    ['of what was decided, without a scope', { scopes: [] }, { status: 'denied' }, {}, UNAUTHORIZED],
  ])('%s', async (_, party, request, given, expected) => {
    expect(await decide(party, request, given)).toEqual(expected)
  })

  it('learns what is needed', async () => {
    const { service } = serviceWith({ approvals: { get: () => Promise.resolve(REQUEST) } })
    await expect(requestToDecide(service, { ...BOB, scopes: [] }, 'apr_1')).rejects.toMatchObject({
      failure: { resolution: { requires: 'approver:<capability> of the capability, the approver scope of the service (approvals.approver_scope), or that of the tier, held by somebody else than the requester' } },
    })
  })

  it('of a token that nobody stored shares no chain', async () => {
    const { service } = serviceWith({ approvals: { get: () => Promise.resolve(REQUEST) } })
    Object.assign(service.storage.tokens, { chain: () => Promise.resolve(undefined) })
    expect(await outcomeOf(() => requestToDecide(service, { ...BOB, chain: ['tok_9'] }, 'apr_1'))).toEqual(REQUEST)
  })
}) // prettier-ignore

describe('a step that waits', () => {
  const done = { id: 'a', capability: 'look', output: {} }
  it('is kept with what earlier steps gave', () => {
    const progress = [done]
    expect(waitingStep({ id: 'b', capability: 'pay', parameters: { to: 'x' }, progress })).toStrictEqual({
      step: { id: 'b', capability: 'pay', parameters: { to: 'x' }, parameters_digest: digestOf({ to: 'x' }), progress_digest: digestOf(progress) },
      progress,
    })
    expect(progressDigest()).toBe(digestOf([]))
  })

  it('is named in a grant without its parameters', () => {
    const { parameters: _, ...named } = STEP
    expect(gatedStepOf({ step: STEP })).toStrictEqual(named)
    expect(gatedStepOf({})).toBeUndefined()
  })

  it('is shown to its approver whole, and to its requester by name', () => {
    const stored: StoredRequest = { ...REQUEST, step: STEP, progress: [done] }
    expect(shownToApprover({ capabilities: new Map() }, stored)).toStrictEqual({ ...REQUEST, step: STEP })
    expect(shownToRequester(stored)).toStrictEqual({ ...REQUEST, step: { id: 'b', capability: 'pay' } })
    expect(shownToRequester(REQUEST)).toStrictEqual(REQUEST)
  })

  it.each<[readonly object[], boolean]>([
    [[done], true], [[], false], [[{ ...done, id: 'c' }], false], [[{ ...done, capability: 'c' }], false], [[done, done], false],
  ])('after %j continues: %s', (progress, expected) => {
    const composition = { steps: [{ id: 'a', capability: 'look' }, { id: 'b', capability: 'pay' }] } as unknown as Composition
    expect(continuesWith(composition, STEP, { progress: progress as never })).toBe(expected)
  })

  it('is the first where nothing ended before', () => {
    const composition = { steps: [{ id: 'b', capability: 'pay' }] } as unknown as Composition
    expect(continuesWith(composition, STEP, {})).toBe(true)
    expect(continuesWith({ ...composition, steps: [] }, STEP, {})).toBe(false)
  })
}) // prettier-ignore

describe('a decision', () => {
  afterEach(() => void vi.useRealTimers())

  it('is waited for, a look every quarter of a second', async () => {
    vi.useFakeTimers()
    const looks = [REQUEST, undefined, { ...REQUEST, status: 'denied' }]
    let looked = 0
    const { service } = serviceWith({ approvals: { get: () => Promise.resolve(looks[looked++]) } })
    const answer = waitForDecision(service, REQUEST, 30)
    await vi.advanceTimersByTimeAsync(749)
    expect(looked).toBe(2)
    await vi.advanceTimersByTimeAsync(1)
    expect([(await answer).status, looked]).toEqual(['denied', 3])
  })

  it.each(['approval_granted', 'approval_denied', 'approval_withdrawn'] as const)('in this process (%s) is seen at once, by all who wait for it', async (entry_type) => {
    vi.useFakeTimers()
    let [stored, looked] = [REQUEST, 0]
    const { service } = serviceWith({ approvals: { get: () => ((looked += 1), Promise.resolve(stored)) } })
    const answers = [waitForDecision(service, REQUEST, 30), waitForDecision(service, REQUEST, 30)]
    service.decisions.recorded({ entry_type, approval_request_id: 'apr_other' })
    service.decisions.recorded({ entry_type: 'invocation', approval_request_id: REQUEST.approval_request_id })
    await vi.advanceTimersByTimeAsync(0)
    expect(looked).toBe(0)
    stored = { ...REQUEST, status: 'denied' }
    service.decisions.recorded({ entry_type, approval_request_id: REQUEST.approval_request_id })
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(['denied', 'denied'])
    expect([looked, vi.getTimerCount()]).toEqual([2, 0])
  })

  it.each([[0, 0], [0.249, 0], [0.25, 1], [1, 4]])('is not waited for longer than %d s: %i looks', async (seconds, expected) => {
    vi.useFakeTimers()
    let looked = 0
    const { service } = serviceWith({ approvals: { get: () => ((looked += 1), Promise.resolve(REQUEST)) } })
    const answer = waitForDecision(service, REQUEST, seconds)
    await vi.advanceTimersByTimeAsync(seconds * 1000)
    expect([await answer, looked]).toEqual([REQUEST, expected])
  })

  it('is waited for no longer once the service stops', async () => {
    vi.useFakeTimers()
    let looked = 0
    const { service } = serviceWith({ approvals: { get: () => ((looked += 1), Promise.resolve(REQUEST)) } })
    const answer = waitForDecision(service, REQUEST, 30)
    await vi.advanceTimersByTimeAsync(100)
    service.lifecycle.draining = true
    await vi.advanceTimersByTimeAsync(150)
    expect([await answer, looked]).toEqual([REQUEST, 1])
  })

  it('is there already', async () => {
    const decided = { ...REQUEST, status: 'denied' } as const
    expect(await waitForDecision(serviceWith().service, decided, 30)).toBe(decided)
  })

  it('is on the trail of the requester', async () => {
    const { service, recorded } = serviceWith()
    await recordApproval(service, 'approval_denied', REQUEST, { principal: 'human:bob' })
    const draft = {
      entry_type: 'approval_denied', invocation_id: null, capability: 'book', actor_key: 'human:bob', root_principal: 'human:ana', event_class: 'high_risk_success',
      success: true, failure_type: null, client_reference_id: null, task_id: null, parent_invocation_id: 'inv-0', upstream_service: null,
      approval_request_id: 'apr_1', approval_grant_id: null, token_id: 'tok_2', delegation_chain: ['tok_2'], cost_actual: null, parameters: {},
      timestamp: '2026-03-01T12:00:00.000Z', approval: { parameters_digest: 'sha256:r' },
    }
    expect(recorded).toStrictEqual([{ draft }])
    await recordApproval(service, 'approval_granted', REQUEST, { principal: 'human:bob', grantId: 'grt_1' })
    expect(recorded[1]).toStrictEqual({ draft: { ...draft, entry_type: 'approval_granted', approval_grant_id: 'grt_1', approval: { parameters_digest: 'sha256:r', requester: 'agent:planner' } } })
  })
}) // prettier-ignore

describe('a grant', () => {
  const grantOf = async (request: ApprovalRequest, asked: Partial<GrantRequest> = {}) => {
    const approve = vi.fn((..._: unknown[]) => Promise.resolve(request as ApprovalRequest | undefined))
    const { service, recorded } = serviceWith({ approvals: { approve } })
    const given = { approval_request_id: 'apr_1', grant_type: 'one_time', ...asked } as const
    const grant = (await grantApproval(service, { ...BOB, chain: ['tok_8'] }, request, given, termsWithin(request.grant_policy, given, request.session_id)))!
    return { grant, decision: approve.mock.calls[0], recorded }
  }

  it('copies its request, and is decided, stored and recorded', async () => {
    const { grant, decision, recorded } = await grantOf({ ...REQUEST, preview_digest: 'sha256:v', step: STEP })
    const { parameters: _, ...step } = STEP
    expect(grant).toStrictEqual({
      grant_id: 'grant_1', approval_request_id: 'apr_1', capability: 'book', scope: ['travel.book'], requester: REQUESTER, approver: 'human:bob',
      parameters_digest: 'sha256:r', preview_digest: 'sha256:v', step, grant_type: 'one_time', session_id: null, issued_at: '2026-03-01T12:00:00.000Z',
      expires_at: '2026-03-01T12:15:00.000Z', max_uses: 1, signature: expect.stringMatching(/^[\w-]+\.\.[\w-]+$/u) as string,
    })
    expect(decision).toEqual([grant, { approver: 'human:bob', by: ['human:bob'], decided_at: '2026-03-01T12:00:00.000Z', reason: null, standing: ['tok_8'] }, undefined, undefined])
    expect(recorded).toMatchObject([{ draft: { entry_type: 'approval_granted', actor_key: 'human:bob', approval_grant_id: 'grant_1' } }])
  })

  it('is none of a request that was decided meanwhile', async () => {
    const { service, recorded } = serviceWith({ approvals: { approve: () => Promise.resolve(undefined) } })
    const asked = { approval_request_id: 'apr_1', grant_type: 'one_time' } as const
    expect(await outcomeOf(() => giveApproval(service, BOB, REQUEST, asked))).toEqual([
      'approval_request_closed', 'The approval request was decided or expired meanwhile.',
    ])
    expect(recorded).toEqual([])
  })

  const presented = async (grant: ApprovalGrant | undefined, request: StoredRequest | undefined) => {
    const get = (id: string) => Promise.resolve(id === 'apr_1' ? request : undefined)
    const { service, alarms } = serviceWith({ approvals: { get, grant: () => Promise.resolve(grant && { grant, uses: 2 }) } })
    return { shown: await presentedGrant(service, 'grt_1'), alarms }
  }
  const look = { id: 'a', capability: 'look', output: {} }
  const waiting = { ...STEP, progress_digest: progressDigest([look]) }

  it.each<[string, ApprovalRequest, StoredRequest | undefined, object, boolean]>([
    ['of its request', REQUEST, REQUEST, {}, true],
    ['of a request that is gone', REQUEST, undefined, {}, true],
    ['of a step and its progress', { ...REQUEST, step: waiting }, { ...REQUEST, step: waiting, progress: [look] }, {}, true],
    ['that was changed', REQUEST, REQUEST, { max_uses: 9 }, false],
    ['of a request that has a step now', REQUEST, { ...REQUEST, step: waiting }, {}, false],
    ['of a request that has progress now', REQUEST, { ...REQUEST, progress: [] }, {}, false],
    ['of another step', { ...REQUEST, step: waiting }, { ...REQUEST, step: { ...waiting, id: 'c' }, progress: [look] }, {}, false],
    ['of another progress', { ...REQUEST, step: waiting }, { ...REQUEST, step: waiting, progress: [] }, {}, false],
  ])('%s', async (_, granted, request, change, isGenuine) => {
    const grant = { ...(await grantOf(granted)).grant, ...change }
    const { shown, alarms } = await presented(grant, request)
    expect(shown).toStrictEqual({ grant, uses: 2, ...(request !== undefined && { request }), isGenuine, isStillGiven: true, path: ['agent:planner', 'agent:planner'] })
    expect(alarms).toEqual(isGenuine ? [] : ['grant_integrity'])
  })

  it('is not known', async () => {
    expect(await presented(undefined, REQUEST)).toEqual({ shown: undefined, alarms: [] })
  })
}) // prettier-ignore

describe('an approval is asked for', () => {
  const asked: Asked = {
    capability: 'book', scope: ['travel.book'], parameters: { hotel: 'Ritz' }, preview: { shows: 'Ritz' }, policy: POLICY, cost: undefined,
      boundUntil: undefined, parentInvocationId: 'inv-0', taskId: undefined, continues: false, bindings: [], waiting: undefined,
    token: { claims: { sub: 'agent:planner', root_principal: 'human:ana', jti: 'tok_2' }, chain: [{ claims: { jti: 'tok_1' }, credential: { api_key: 'ana' } }] } as never,
  }
  const raise = async (change: Partial<Asked>, outcome: string, manifest: object = {}) => {
    const opened = vi.fn((request: StoredRequest, _most: unknown) => Promise.resolve(outcome === 'too_many' ? { outcome, limit: 'pending' } : { outcome, request }))
    const { service, recorded } = serviceWith({ approvals: { open: opened, earlier: async () => ({}) }, manifest })
    const { refusal, requestId } = await raiseApproval(service, { ...asked, ...change })
    return { failure: refusal.failure, retryAfter: refusal.retryAfter, requestId, request: opened.mock.calls[0]![0], most: opened.mock.calls[0]![1], recorded }
  }
  const opened = {
    credential: { api_key: 'ana' },
    root_token_id: 'tok_1',
    approval_request_id: 'approvalRequest_1', capability: 'book', scope: ['travel.book'], requester: REQUESTER, requested_parameters: { hotel: 'Ritz' },
    requested_parameters_digest: digestOf({ hotel: 'Ritz' }), preview: { shows: 'Ritz' }, preview_digest: digestOf({ shows: 'Ritz' }), grant_policy: POLICY,
    parent_invocation_id: 'inv-0', status: 'pending', approver: null, decided_at: null, reason: null, created_at: '2026-03-01T12:00:00.000Z', expires_at: '2026-03-01T13:00:00.000Z',
  }

  it('once: it is stored, recorded and told', async () => {
    const { failure, request, most, requestId, recorded, retryAfter } = await raise({}, 'created')
    expect([request, most, requestId, retryAfter]).toStrictEqual([opened, { pending: 7, pendingOfChain: 8, pendingOfRoot: 9, perMinute: 60 }, 'approvalRequest_1', undefined])
    expect(recorded).toMatchObject([{ draft: { entry_type: 'approval_requested', actor_key: 'agent:planner', approval_request_id: 'approvalRequest_1' } }])
    expect(failure).toStrictEqual({
      type: 'approval_required', detail: 'Approval request approvalRequest_1 is open until 2026-03-01 13:00 UTC: a person decides it. Then make the same call with its grant.', retry: false,
      resolution: { action: 'request_approval', recovery_class: 'wait_then_retry', requires: 'approver:book' },
      preview_digest: opened.preview_digest, approval_request_id: 'approvalRequest_1', requested_parameters_digest: opened.requested_parameters_digest, grant_policy: POLICY,
    })
  })

  it('again: it is told and not recorded', async () => {
    const { failure, recorded } = await raise({}, 'pending')
    expect([failure.type, recorded]).toEqual(['approval_required', []])
  })

  it('too often', async () => {
    const { failure, recorded, retryAfter, requestId } = await raise({}, 'too_many')
    expect([failure.type, failure.detail, retryAfter, requestId, recorded]).toEqual([
      'rate_limited', 'Too many approval requests of this requester are pending.', 60, undefined, [],
    ])
  })

  it('for what has no preview and no parent', async () => {
    const { request } = await raise({ preview: undefined, parentInvocationId: undefined }, 'created')
    const { preview: _, preview_digest: __, ...rest } = opened
    expect(request).toStrictEqual({ ...rest, parent_invocation_id: null })
  })

  it('for a step, from which a call goes on once', async () => {
    const waiting = { id: 'b', capability: 'pay', parameters: { to: 'x' }, progress: [] }
    const { request } = await raise({ waiting }, 'created')
    expect(request).toStrictEqual({ ...opened, ...waitingStep(waiting), grant_policy: { ...POLICY, max_uses: 1 } })
  })

  it('of whoever has the scope of its tier, or else that of the service', () => {
    const { service } = serviceWith({ manifest: { approver_scope: 'desk' } })
    expect(waitsForPerson(service, REQUEST, false).failure.resolution.requires).toBe('desk')
    expect(waitsForPerson(service, { ...REQUEST, approver_scope: 'board' }, false).failure.resolution.requires).toBe('board')
  })

  it('and cannot be stored', async () => {
    const raised = (reason: Error) =>
      outcomeOf(() => raiseApproval(serviceWith({ approvals: { earlier: async () => ({}), open: () => Promise.reject(reason) } }).service, asked))
    expect(await raised(new StorageUnavailable('no'))).toEqual(['service_unavailable', 'The approval request could not be stored.'])
    expect(await raised(new RangeError('no'))).toEqual(new RangeError('no'))
  })
}) // prettier-ignore
