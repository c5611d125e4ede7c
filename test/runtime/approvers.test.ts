import { describe, expect, it } from 'vitest'
import type { ApprovalRequirement, ApprovalSettings, Capability, GrantPolicy } from '../../src/protocol/manifest.js'
import type { Money } from '../../src/protocol/money.js'
import { giveApproval } from '../../src/runtime/approvals/give.js'
import { tiersOf, type Party } from '../../src/runtime/approvals/approver.js'
import { countsGrant } from '../../src/runtime/approvals/conditions.js'
import { reasonIn } from '../../src/runtime/approvals/reason.js'
import { narrowest } from '../../src/runtime/approvals/narrowest.js'
import { standingApprovals } from '../../src/runtime/approvals/standing-approvals.js'
import { costsMore, needsOf } from '../../src/runtime/approvals/tiers.js'
import type { Refusal } from '../../src/runtime/errors/refusal.js'
import type { Service } from '../../src/runtime/service.js'
import type { ApprovalGiven, GrantTerms, Settlement, StoredRequest } from '../../src/runtime/storage/contract.js'
import { capability, manifestOf } from './fixture/manifest.js'

const money = (amount: number, currency = 'EUR'): Money => ({ currency, amount })
const grant_policy: GrantPolicy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 60, max_uses: 1 } // prettier-ignore
const tier = (cost_above: number) => ({ cost_above, approver_scope: `above.${cost_above}` })

describe('what an approval needs', () => {
  it.each<[string, Partial<ApprovalRequirement>, Money | undefined, object]>([
    ['nothing more, where nothing more is declared', {}, undefined, {}],
    ['nothing more of one approver', { approvers: 1 }, undefined, {}],
    ['as many as are declared', { approvers: 2 }, undefined, { approvals_needed: 2 }],
    ['the cost that it was asked for at', {}, money(5), { compared_cost: money(5) }],
    ['the usual scopes up to a tier', { tiers: [tier(5)] }, money(5), { compared_cost: money(5) }],
    ['the scope of a tier from the next cent on', { tiers: [tier(5)] }, money(5.01), { approver_scope: 'above.5', compared_cost: money(5.01) }],
    ['the highest tier that is exceeded, in any order', { tiers: [tier(9), tier(5), tier(20)] }, money(10), { approver_scope: 'above.9', compared_cost: money(10) }],
    ['the highest tier that is exceeded, in rising order', { tiers: [tier(5), tier(9), tier(20)] }, money(10), { approver_scope: 'above.9', compared_cost: money(10) }],
    ['the highest tier of all at an unknown cost', { tiers: [tier(5), tier(20), tier(9)] }, undefined, { approver_scope: 'above.20' }],
    ['the highest tier at what is no amount', { tiers: [tier(5), tier(20)] }, money(0.001), { approver_scope: 'above.20', compared_cost: money(0.001) }],
    ['a tier whose bound is no amount', { tiers: [tier(0.001)] }, money(0), { approver_scope: 'above.0.001', compared_cost: money(0) }],
  ])('is %s', (_, declared, cost, needs) => {
    expect(needsOf({ required: 'always', grant_policy, ...declared }, cost)).toStrictEqual(needs)
  })
}) // prettier-ignore

describe('a call costs more than its approval was asked for at', () => {
  const TIERS = [tier(5)]
  it.each<[string, readonly ReturnType<typeof tier>[] | undefined, Pick<StoredRequest, 'approver_scope' | 'compared_cost'>, Money | undefined, boolean]>([
    ['not at the same cost', TIERS, { compared_cost: money(5) }, money(5), false],
    ['by a cent', TIERS, { compared_cost: money(5) }, money(5.01), true],
    ['by a cent, without tiers, too', [], { compared_cost: money(5) }, money(5.01), true],
    ['not for less', undefined, { compared_cost: money(5) }, money(4), false],
    ['at an unknown cost', TIERS, { compared_cost: money(5) }, undefined, true],
    ['in another currency', TIERS, { compared_cost: money(5) }, money(1, 'USD'), true],
    ['at what is no amount', TIERS, { compared_cost: money(5) }, money(0.001), true],
    ['where it was asked for at no amount', TIERS, { compared_cost: money(0.001) }, money(1), true],
    ['where who decides by tiers was not asked', TIERS, {}, money(1), true],
    ['not where the highest tier decided about an unknown cost', TIERS, { approver_scope: 'above.5' }, money(1), false],
    ['not where there are neither tiers nor a cost', [], {}, money(1), false],
    ['not where nothing is declared', undefined, {}, money(1), false],
  ])('%s', (_, tiers, asked, cost, expected) => {
    expect(costsMore({ ...(tiers && { tiers }) }, asked, cost)).toBe(expected)
  })
}) // prettier-ignore

describe('a grant counts', () => {
  const composition = { steps: [] } as unknown as NonNullable<Capability['composition']>
  it.each<[string, Partial<Capability>, boolean, boolean]>([
    ['where an approval is needed', {}, true, true],
    ['where the handler decides', { approval: { required: 'handler', grant_policy } }, false, true],
    ['where a step may need it', { composition }, false, true],
    ['not where no approval is needed', { approval: { required: 'always', grant_policy } }, false, false],
    ['not where none is declared', {}, false, false],
  ])('%s', (_, declared, needed, expected) => {
    expect(countsGrant(capability(declared), needed)).toBe(expected)
  })
}) // prettier-ignore

it('a party has the scopes of tiers that it was given, of those that are declared', () => {
  const approval = { required: 'always', grant_policy, tiers: [tier(5), tier(9)] } as const
  const service = { manifest: manifestOf({ book: capability({ approval }) }) } as unknown as Service
  expect(tiersOf(service, { scopes: ['above.9', 'above.20', 'approver:book'] })).toEqual(['above.9'])
})

it('a reason has 1 to 1000 characters, whatever each of them takes', () => {
  const longest = '😀'.repeat(1000)
  expect([reasonIn({}), reasonIn({ reason: 'x' }), reasonIn({ reason: longest })]).toEqual([undefined, 'x', longest])
  for (const reason of ['', `${longest}x`, 7])
    expect(() => reasonIn({ reason })).toThrow('The member reason must be a text of 1 to 1000 characters.')
})

const TERMS: GrantTerms = { grant_type: 'session_bound', session_id: 's', expires_in_seconds: 60, max_uses: 3 }

it('the narrowest terms are those that every approver gave', () => {
  expect(narrowest([TERMS])).toStrictEqual(TERMS)
  const shorter = { ...TERMS, session_id: null, expires_in_seconds: 30, max_uses: 5 }
  expect(narrowest([TERMS, shorter])).toStrictEqual({ ...TERMS, expires_in_seconds: 30 })
  expect(narrowest([shorter, { ...TERMS, grant_type: 'one_time', session_id: null }])).toStrictEqual({
    grant_type: 'one_time',
    session_id: null,
    expires_in_seconds: 30,
    max_uses: 3,
  })
  expect(() => narrowest([TERMS, { ...TERMS, session_id: 't' }])).toThrow('Another approver has bound the grant to another session.') // prettier-ignore
})

describe('an approval', () => {
  const NOW = 1000
  const settings: ApprovalSettings = { request_ttl: 'PT1H', denial_holds: 'PT10M', allow_agents: false, separation_of_duties: true } as ApprovalSettings // prettier-ignore
  const REQUEST = { approval_request_id: 'apr_1', capability: 'book', requester: { subject: 'agent:planner', root_principal: 'human:ana', token_id: 'tok_r' } } as unknown as StoredRequest // prettier-ignore
  interface Known {
    readonly blocked?: readonly string[]
    readonly keys?: { readonly [id: string]: { readonly scopes?: readonly string[] } }
    readonly tokens?: { readonly [id: string]: readonly object[] }
    /** Name -> all names of that person. */
    readonly names?: { readonly [name: string]: readonly string[] }
    readonly allowAgents?: true
    readonly tier?: string
  }

  /** Which approvals count, and which do not, by their approvers. */
  async function standing(given: readonly Partial<ApprovalGiven>[], known: Known = {}) {
    const { blocked = [], keys = {}, tokens = {}, names = {} } = known
    const service = {
      manifest: { approvals: { ...settings, ...(known.allowAgents && { allow_agents: true }) } },
      now: () => NOW * 1000,
      apiKeys: { named: (id: string) => keys[id] },
      storage: {
        approvals: { given: async (id: string) => (id === 'apr_1' ? given : []) },
        accounts: { namesOf: async (all: readonly string[]) => [...new Set(all.flatMap((name) => names[name] ?? [name]))] },
        operators: {
          blockOf: async ({ principal, subject, apiKey }: { readonly [name: string]: string | undefined }) =>
            [principal, subject, apiKey && `key ${apiKey}`].find((each) => each !== undefined && blocked.includes(each)),
        },
        tokens: { chain: async (id: string) => tokens[id] },
      },
    } as unknown as Service
    const { counted, lapsed } = await standingApprovals(service, { ...REQUEST, ...(known.tier && { approver_scope: known.tier }) })
    return [counted.map(({ approver }) => approver), lapsed.map(({ approver }) => approver)]
  } // prettier-ignore
  const COUNTS = [['human:bob'], []]
  const LAPSED = [[], ['human:bob']]
  const link = (jti: string, more: object = {}, scope: readonly string[] = ['approver:book']) => ({ claims: { jti, sub: 'human:bob', exp: NOW + 1, scope }, ...more }) // prettier-ignore
  const asking = (jti: string) => ({ claims: { jti, sub: 'agent:planner', exp: NOW + 1, scope: ['approver:book'] } })
  const ended = (jti: string) => ({ claims: { jti, sub: 'human:bob', exp: NOW, scope: ['approver:book'] } })
  const lent = { approver: 'human:bob', by: ['human:bob'], standing: ['tok_1', 'tok_2'] } as const

  it.each<[string, Partial<ApprovalGiven>, Known, readonly (readonly string[])[]]>([
    ['of a person', { approver: 'human:bob' }, {}, COUNTS],
    ['of an account at a provider', { approver: 'human:bob', credential: { issuer: 'https://idp.example', subject: '7' } }, {}, COUNTS],
    ['of a key with the scope', { approver: 'human:bob', credential: { api_key: 'k' } }, { keys: { k: { scopes: ['approver:book'] } } }, COUNTS],
    ['of a key without it by now', { approver: 'human:bob', credential: { api_key: 'k' } }, { keys: { k: { scopes: ['approver:trip'] } } }, LAPSED],
    ['of a key with the scope of the tier', { approver: 'human:bob', credential: { api_key: 'k' } }, { keys: { k: { scopes: ['above.5'] } }, tier: 'above.5' }, COUNTS],
    ['of a key with the usual scope, where a tier asks for more', { approver: 'human:bob', credential: { api_key: 'k' } }, { keys: { k: { scopes: ['approver:book'] } }, tier: 'above.5' }, LAPSED],
    ['of a key without scopes', { approver: 'human:bob', credential: { api_key: 'k' } }, { keys: { k: {} } }, LAPSED],
    ['of a key that is gone', { approver: 'human:bob', credential: { api_key: 'k' } }, {}, LAPSED],
    ['of who is blocked', { approver: 'human:bob' }, { blocked: ['human:bob'] }, LAPSED],
    ['by the authority of who is blocked', { approver: 'human:bob', by: ['human:carl', 'human:bob'] }, { blocked: ['human:carl'] }, LAPSED],
    ['of a key that is blocked', { approver: 'human:bob', credential: { api_key: 'k' } }, { keys: { k: { scopes: ['approver:book'] } }, blocked: ['key k'] }, LAPSED],
    ['beside a block of somebody else', { approver: 'human:bob' }, { blocked: ['human:eve'] }, COUNTS],
    ['of an agent', { approver: 'agent:bot' }, {}, [[], ['agent:bot']]],
    ['by the authority of a service', { approver: 'human:bob', by: ['service:desk', 'human:bob'] }, {}, LAPSED],
    ['of an agent, where agents may', { approver: 'agent:bot' }, { allowAgents: true }, [['agent:bot'], []]],
    ['of who asked', { approver: 'human:ana' }, {}, [[], ['human:ana']]],
    ['of who asked, by another name', { approver: 'human:bob' }, { names: { 'human:ana': ['human:ana', 'human:bob'] } }, LAPSED],
    ['by the authority of who asked', { approver: 'human:bob', by: ['human:ana'] }, {}, LAPSED],
    ['by a token in the chain of the request', { approver: 'human:bob', standing: ['tok_r'] }, { tokens: { tok_r: [asking('tok_r')] } }, LAPSED],
    ['by a token below that of the request', { approver: 'human:bob', standing: ['tok_r', 'tok_2'] }, { tokens: { tok_2: [asking('tok_r'), link('tok_2')] } }, LAPSED],
    ['by a token above that of the request', { approver: 'human:bob', standing: ['tok_1'] }, { tokens: { tok_r: [asking('tok_1'), asking('tok_r')], tok_1: [asking('tok_1')] } }, LAPSED],
    ['by a chain of tokens', lent, { tokens: { tok_2: [link('tok_1', {}, []), link('tok_2')] } }, COUNTS],
    ['by a chain without the scope at its end', lent, { tokens: { tok_2: [link('tok_1'), link('tok_2', {}, [])] } }, LAPSED],
    ['by a chain that is not stored', lent, {}, LAPSED],
    ['by a chain that is another one', lent, { tokens: { tok_2: [link('tok_2')] } }, LAPSED],
    ['by a chain with a revoked token', lent, { tokens: { tok_2: [link('tok_1', { revoked_at: 1 }), link('tok_2')] } }, LAPSED],
    ['by a revoked token', lent, { tokens: { tok_2: [link('tok_1'), link('tok_2', { revoked_at: 1 })] } }, LAPSED],
    ['by a chain with an expired token', lent, { tokens: { tok_2: [ended('tok_1'), link('tok_2')] } }, LAPSED],
  ])('%s', async (_, given, known, expected) => {
    expect(await standing([given], known)).toEqual(expected)
  }) // prettier-ignore

  it('of one person counts once where two approved by names that were linked later', async () => {
    const [bob, carl, dan] = [{ approver: 'human:bob' }, { approver: 'human:carl' }, { approver: 'human:dan' }] as const
    const same = ['human:bob', 'oidc:7', 'human:carl']
    const names = { 'human:bob': same, 'oidc:7': same, 'human:carl': same }
    expect(await standing([bob, carl, dan], { names })).toEqual([['human:bob', 'human:dan'], ['human:carl']])
    const [one, other] = [{ ...bob, by: ['human:ina', 'human:bob'] }, { ...dan, by: ['human:jan', 'human:dan'] }] as const
    const lenders = { 'human:ina': ['human:ina', 'oidc:8'], 'human:jan': ['human:jan', 'oidc:8'] }
    expect(await standing([one, other], { names: lenders })).toEqual([['human:bob'], ['human:dan']])
    expect(await standing([one, other])).toEqual([['human:bob', 'human:dan'], []])
  }) // prettier-ignore

  it('of one person counts once, by whichever name; what does not count takes no place', async () => {
    const bob = { approver: 'human:bob' } as const
    const carl = { approver: 'human:carl' } as const
    expect(await standing([bob, carl])).toEqual([['human:bob', 'human:carl'], []])
    const one = { names: { 'human:carl': ['human:carl', 'human:bob'] } }
    expect(await standing([bob, carl], one)).toEqual([['human:bob'], ['human:carl']])
    const lender = { approver: 'human:dan', by: ['human:dan', 'human:bob'] } as const
    expect(await standing([bob, lender])).toEqual([['human:bob'], ['human:dan']])
    expect(await standing([lender, bob])).toEqual([['human:dan'], ['human:bob']])
    expect(await standing([{ ...bob, by: ['human:eve', 'human:bob'] }, bob], { blocked: ['human:eve'] })).toEqual([['human:bob'], ['human:bob']]) // prettier-ignore
  })
})

describe('one of several approvals', () => {
  const REQUEST = {
    approval_request_id: 'apr_1', capability: 'book', status: 'pending', created_at: '2026-03-01T12:00:00.000Z', approvals_needed: 3, grant_policy: { ...grant_policy, max_uses: 1 },
    requester: { subject: 'agent:planner', root_principal: 'human:ana', token_id: 'tok_r' }, requested_parameters: {}, requested_parameters_digest: 'sha256:r', parent_invocation_id: 'inv_0',
  } as unknown as StoredRequest
  const BOB = { principal: 'human:bob', rootPrincipal: 'human:bob', principals: ['human:bob'], scopes: [], chain: [] } as unknown as Party
  const CARL = { approver: 'human:carl', by: ['human:dan', 'human:carl'], terms: TERMS } as unknown as ApprovalGiven
  const now = { approval_request_id: 'apr_1', approvals: 2, approvals_needed: 3 }

  /** What is answered where the store answers so, in turn; how often it was asked, and what is recorded. */
  async function given(answers: readonly object[], { needed = 3, before = [CARL], status = 'pending', names = {} }: { needed?: number, before?: readonly ApprovalGiven[], status?: string, names?: { readonly [name: string]: readonly string[] } } = {}) {
    const asked: unknown[][] = []
    const recorded: Settlement[] = []
    const service = {
      manifest: { approvals: { allow_agents: false, separation_of_duties: true } }, capabilities: new Map(), now: () => Date.parse('2026-03-01T12:00:01.000Z'),
      record: async (settlement: Settlement) => void recorded.push(settlement),
      storage: {
        approvals: { given: async () => before, give: async (...each: unknown[]) => (asked.push(each), answers[Math.min(asked.length, answers.length) - 1]), get: async () => (status === 'gone' ? undefined : { status }) },
        accounts: { namesOf: async (all: readonly string[]) => [...new Set(all.flatMap((name) => names[name] ?? [name]))] },
        operators: { blockOf: async () => undefined }, tokens: { chain: async () => undefined },
      },
    } as unknown as Service
    const answer = await giveApproval(service, BOB, { ...REQUEST, approvals_needed: needed }, { approval_request_id: 'apr_1', reason: 'Fine.' }).catch((error: Refusal) => [error.failure.type, error.failure.detail])
    return { answer, asked, recorded }
  }
  const CLOSED = ['approval_request_closed', 'The approval request was decided or expired meanwhile.']
  const SAME = ['approver_not_authorized', 'An approval by the authority of the same person counts already.']

  it('is stored, recorded and counted', async () => {
    const { answer, asked, recorded } = await given([{ outcome: 'given', request: now }])
    expect(answer).toStrictEqual({ approval_request_id: 'apr_1', status: 'pending', approvals: 2, approvals_needed: 3 })
    expect(asked).toMatchObject([['apr_1', { approver: 'human:bob', reason: 'Fine.', by: ['human:bob'], terms: { grant_type: 'one_time' } }, { counted: [CARL], lapsed: [] }]])
    expect(recorded).toMatchObject([{ draft: { entry_type: 'approval_given', actor_key: 'human:bob', root_principal: 'human:ana', approval: { reason: 'Fine.' } } }])
  })

  it('counts what is not said as none of one', async () => {
    expect((await given([{ outcome: 'given', request: { approval_request_id: 'apr_1' } }])).answer).toStrictEqual({ approval_request_id: 'apr_1', status: 'pending', approvals: 0, approvals_needed: 1 })
  })

  it.each<[string, readonly object[], Parameters<typeof given>[1], readonly string[], number]>([
    ['of the same person', [{ outcome: 'same_person' }], {}, SAME, 1],
    ['of what was closed', [{ outcome: 'closed' }], {}, CLOSED, 1],
    ['of what was decided while somebody was faster', [{ outcome: 'changed' }], { status: 'denied' }, CLOSED, 1],
    ['of what is gone', [{ outcome: 'changed' }], { status: 'gone' }, CLOSED, 1],
    ['after twelve that were faster', [{ outcome: 'changed' }], {}, CLOSED, 12],
    ['that would be the last, by a name of another who approved', [], { needed: 2, names: { 'human:bob': ['human:bob', 'human:carl'] } }, SAME, 0],
    ['that would be the last, by a name of whose authority was used', [], { needed: 2, names: { 'human:bob': ['human:bob', 'human:dan'] } }, SAME, 0],
    ['that would be the last, beside another person of whom one name is the same', [], { needed: 3, before: [{ ...CARL, approver: 'human:eve', by: undefined }, CARL] as never, names: { 'human:bob': ['human:bob', 'human:eve'] } }, SAME, 0],
  ])('is refused %s', async (_, answers, more, refusal, times) => {
    const { answer, asked, recorded } = await given(answers, more)
    expect([answer, asked.length, recorded]).toEqual([refusal, times, []])
  })

  it('is tried again while others are faster', async () => {
    const { answer, asked } = await given([{ outcome: 'changed' }, { outcome: 'given' }, { outcome: 'given', request: now }])
    expect([answer, asked.length]).toMatchObject([{ approvals: 2 }, 3])
  })
}) // prettier-ignore
