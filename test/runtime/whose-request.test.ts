import { describe, expect, it } from 'vitest'
import type { Party } from '../../src/runtime/approvals/approver.js'
import { approverView } from '../../src/runtime/approvals/approver-view.js'
import { isSameList, isSamePath } from '../../src/runtime/approvals/delegation-path.js'
import { isOwnRequest } from '../../src/runtime/approvals/own-request.js'
import { revokeGrant } from '../../src/runtime/approvals/revoke-grant.js'
import { withdrawApproval } from '../../src/runtime/approvals/withdraw.js'
import { Refusal } from '../../src/runtime/errors/refusal.js'
import type { Service } from '../../src/runtime/service.js'
import type { ApprovalGiven, Settlement, StoredRequest } from '../../src/runtime/storage/contract.js'
import type { TokenChain } from '../../src/protocol/token.js'
import { capability } from './fixture/manifest.js'

const AT = '2026-03-01T12:00:00.000Z'
const REQUEST = {
  approval_request_id: 'apr_1', capability: 'book', scope: ['travel.book'], status: 'pending', created_at: AT,
  requester: { subject: 'agent:planner', root_principal: 'human:ana', token_id: 'tok_2' },
  requested_parameters: { hotel: 'Ritz', card: '4711' }, requested_parameters_digest: 'sha256:r', parent_invocation_id: 'inv_0',
} as unknown as StoredRequest // prettier-ignore
const link = (jti: string, sub: string, more: object = {}, claims: object = {}) => ({ claims: { jti, sub, root_principal: 'human:ana', exp: 2000, constraints: {}, purpose: {}, ...claims }, ...more }) // prettier-ignore
/** The chain of the request: ana -> desk -> planner. */
const CHAIN = [
  link('tok_1', 'agent:desk', { credential: { api_key: 'wide' } }),
  link('tok_2', 'agent:planner'),
] as unknown as TokenChain
const party = (more: object): Party => ({ principal: 'human:ana', rootPrincipal: 'human:ana', principals: ['human:ana'], scopes: [], chain: [], ...more }) as Party // prettier-ignore
const token = (...names: readonly string[]) => party({ principal: names.at(-1), principals: ['human:ana', ...names], chain: ['tok_x'] }) // prettier-ignore

const refusalOf = (acting: Promise<unknown>): Promise<unknown> =>
  acting.catch((error: unknown) => (error instanceof Refusal ? [error.failure.type, error.failure.detail] : error))

interface Known {
  readonly chain?: TokenChain | undefined
  readonly approvals?: object
  readonly names?: { readonly [name: string]: readonly string[] }
  readonly requests?: readonly (StoredRequest | undefined)[]
}

function serviceOf({ chain = CHAIN, approvals = {}, names = {}, requests = [REQUEST] }: Known = {}) {
  const recorded: Settlement[] = []
  const left = [...requests]
  const service = {
    id: 'svc',
    notify: [{ name: 'desk', events: ['approval.withdrawn'] }],
    pages: { approval: (id: string) => `https://svc.example/${id}` },
    now: () => Date.parse(AT),
    manifest: { approvals: {}, capabilities: {} },
    capabilities: new Map([
      ['book', capability({ description: 'Books.', observability: { fields_logged: ['hotel'], retention: 'P1D' } })],
      ['pay', capability({ description: 'Pays.', side_effect: { type: 'irreversible' } })],
    ]),
    record: async (settlement: Settlement) => void recorded.push(settlement),
    storage: {
      tokens: { chain: async (id: string) => (id === 'tok_2' ? chain : undefined) },
      accounts: { namesOf: async (all: readonly string[]) => [...new Set(all.flatMap((name) => names[name] ?? [name]))] },
      ledger: { spent: async (id: string) => (id === 'tok_2' ? 250n : 0n) },
      approvals: { get: async () => (left.length > 1 ? left.shift() : left[0]), given: async () => [], history: async () => ({ undecided: {}, decided: [] }), ...approvals },
    },
  } as unknown as Service
  return { service, recorded }
} // prettier-ignore

describe('a list of names', () => {
  it('is the same with the same names in the same order', () => {
    expect(isSameList(['a', 'b'], ['a', 'b'])).toBe(true)
    for (const other of [['a'], ['b', 'a'], ['a', 'c'], ['c', 'b'], ['a', 'b', 'c'], []])
      expect(isSameList(['a', 'b'], other)).toBe(false)
  })

  it('of tokens is a path, while none of those that asked is revoked', () => {
    const other = [link('tok_8', 'agent:desk'), link('tok_9', 'agent:planner', { revoked_at: 1 })] as unknown as TokenChain // prettier-ignore
    expect([isSamePath(CHAIN, other), isSamePath(other, CHAIN)]).toEqual([true, false])
    expect(isSamePath(CHAIN, [CHAIN[0]])).toBe(false)
  })
})

describe('a request is of', () => {
  it.each<[string, Party, boolean]>([
    ['its root principal', party({}), true],
    ['its requester by the same names', token('agent:desk', 'agent:planner'), true],
    ['nobody with its name by other names', token('agent:other', 'agent:planner'), false],
    ['nobody between', token('agent:desk'), false],
    ['no other name on the same path', token('agent:desk', 'agent:other'), false],
    ['no other root principal', party({ principal: 'human:ben', rootPrincipal: 'human:ben' }), false],
    ['a key of its root principal that has the scopes', party({ bounds: ['travel.book', 'x'] }), true],
    ['no key of its root principal that lacks one', party({ bounds: ['x'] }), false],
    ['a key that began its chain, whatever it has by now', party({ bounds: ['x'], credential: { api_key: 'wide' } }), true],
    ['no other key than began its chain', party({ bounds: ['x'], credential: { api_key: 'narrow' } }), false],
    ['a token of its root principal in its chain', party({ bounds: ['x'], chain: ['tok_1'], principals: ['human:ana', 'human:ana'] }), true],
    ['the token that began its chain, whatever bought it', party({ bounds: ['x'], chain: ['tok_1'], credential: { api_key: 'narrow' } }), true],
    ['no token of its root principal that lacks one, where another key bought it', party({ bounds: ['x'], chain: ['tok_x'], principals: ['human:ana', 'human:ana'], credential: { api_key: 'narrow' } }), false],
    ['any token of its root principal, where nobody knows who bought it', party({ bounds: ['x'], chain: ['tok_x'], principals: ['human:ana', 'human:ana'] }), true],
  ])('%s', async (_, asking, expected) => {
    expect(await isOwnRequest(serviceOf().service, asking, REQUEST)).toBe(expected)
  })

  it('a class, and of no key of its root principal that may not name it', async () => {
    const { service } = serviceOf({ chain: [link('tok_2', 'agent:planner', {}, { caller_class: 'internal' })] as unknown as TokenChain })
    const own = (more: object) => isOwnRequest(service, party(more), REQUEST)
    expect([await own({ classes: ['internal'] }), await own({ classes: ['partner'] }), await own({})]).toEqual([true, false, false])
  })

  it('nobody but its root principal where its tokens are gone', async () => {
    const { service } = serviceOf()
    const gone = { ...REQUEST, requester: { ...REQUEST.requester, token_id: 'tok_0' } }
    expect(await isOwnRequest(service, token('agent:planner'), gone)).toBe(false)
    expect(await isOwnRequest(service, party({}), gone)).toBe(true)
    const narrow = { bounds: ['x'], credential: { api_key: 'narrow' } }
    expect(await isOwnRequest(service, party({ ...narrow, chain: ['tok_x'] }), gone)).toBe(true)
    expect(await isOwnRequest(service, party(narrow), gone)).toBe(false)
  })
}) // prettier-ignore

describe('a request is withdrawn by', () => {
  const UNKNOWN = ['approval_request_not_found', 'There is no such approval request.']
  const withdrawn = { ...REQUEST, status: 'withdrawn' }
  const events: unknown[] = []
  const withdraw = async (...asked: readonly unknown[]) => (events.push(asked), withdrawn)
  it.each<[string, Party, unknown]>([
    ['its root principal', party({ credential: { api_key: 'ana' } }), withdrawn],
    ['a key of it that has the scopes', party({ bounds: ['travel.book', 'x'] }), withdrawn],
    ['no key of it that lacks one', party({ bounds: ['x'] }), UNKNOWN],
    ['its requester by the same names', token('agent:desk', 'agent:planner'), withdrawn],
    ['a token above', party({ principal: 'agent:desk', principals: ['human:ana', 'agent:desk'], chain: ['tok_1'] }), withdrawn],
    ['no other token of who is above', token('agent:desk'), UNKNOWN],
    ['no requester by other names', token('agent:other', 'agent:planner'), UNKNOWN],
    ['no other root principal', party({ principal: 'human:ben', rootPrincipal: 'human:ben', chain: ['tok_1'] }), UNKNOWN],
  ])('%s', async (_, asking, expected) => {
    const { service, recorded } = serviceOf({ approvals: { withdraw } })
    expect(await refusalOf(withdrawApproval(service, asking, 'apr_1'))).toEqual(expected)
    const entry = { entry_type: 'approval_withdrawn', actor_key: asking.principal, approval_request_id: 'apr_1', ...(asking.credential && { credential: asking.credential }) }
    expect(recorded).toMatchObject(expected === withdrawn ? [{ draft: entry }] : [])
    expect(events.splice(0)).toMatchObject(expected === withdrawn ? [['apr_1', AT, { type: 'approval.withdrawn', targets: ['desk'] }]] : [])
  })

  it.each<[string, readonly (StoredRequest | undefined)[], readonly string[]]>([
    ['unknown', [undefined], UNKNOWN],
    ['approved, and its grant is spent', [{ ...REQUEST, status: 'approved' }], ['approval_request_closed', 'The grant of the approval request is spent or over.']],
    ['denied already', [{ ...REQUEST, status: 'denied' }], ['approval_request_closed', 'The approval request is denied already.']],
    ['denied meanwhile', [REQUEST, { ...REQUEST, status: 'denied' }], ['approval_request_closed', 'The approval request is denied already.']],
    ['gone meanwhile', [{ ...REQUEST, status: 'expired' }, undefined], ['approval_request_closed', 'The approval request is expired already.']],
  ])('nobody when it is %s', async (_, requests, expected) => {
    const { service, recorded } = serviceOf({ requests, approvals: { withdraw: async () => undefined } })
    expect(await refusalOf(withdrawApproval(service, party({}), 'apr_1'))).toEqual(expected)
    expect(recorded).toEqual([])
  })
}) // prettier-ignore

describe('a grant is taken back by', () => {
  const UNKNOWN = ['approval_request_not_found', 'There is no such grant that this credential gave.']
  const DONE = { revoked: true, grant_id: 'grt_1', approval_request_id: 'apr_1' }
  const bob = (more: object = {}) => party({ principal: 'human:bob', rootPrincipal: 'human:bob', principals: ['human:bob'], scopes: ['approver:book'], ...more }) // prettier-ignore
  const GRANT = { approval_request_id: 'apr_1', approver: 'human:bob', capability: 'book' }
  const stored = (more: object = {}) => ({ grant: GRANT, givenBy: ['human:bob'], ...more })
  interface Taken extends Pick<Known, 'names'> {
    readonly grant?: object | undefined
    readonly given?: readonly Partial<ApprovalGiven>[]
  }
  const carl: Partial<ApprovalGiven> = { approver: 'human:carl', by: ['human:dan', 'human:carl'] }

  it.each<[string, Party, Taken, unknown]>([
    ['who gave it', bob(), {}, DONE],
    ['another name of that person', bob({ principal: 'human:b2' }), { names: { 'human:bob': ['human:bob', 'human:b2'] } }, DONE],
    ['an operator', bob({ principal: 'human:op', roles: ['operator'] }), {}, DONE],
    ['no auditor', bob({ principal: 'human:op', roles: ['auditor'] }), {}, UNKNOWN],
    ['nobody else', bob({ principal: 'human:eve' }), {}, UNKNOWN],
    ['nobody who has only the name', bob({ isNameOnly: true }), {}, UNKNOWN],
    ['a key that may approve it', bob({ bounds: ['approver:book'], scopes: ['approver:book'] }), {}, DONE],
    ['no key that may not', bob({ bounds: ['x'], scopes: ['x'] }), {}, UNKNOWN],
    ['no key without a list of scopes', bob({ scopes: [] }), {}, UNKNOWN],
    ['a key with the scope of its tier', bob({ bounds: ['high'], scopes: ['high'] }), { grant: stored({ tier: 'high' }) }, DONE],
    ['no key without the scope of its tier', bob({ bounds: ['approver:book'], scopes: ['approver:book'] }), { grant: stored({ tier: 'high' }) }, UNKNOWN],
    ['one of several who gave it', bob({ principal: 'human:carl' }), { given: [carl] }, DONE],
    ['a named one by the same names', bob({ isNamed: true }), {}, DONE],
    ['a named one by the names of one of several', bob({ principal: 'human:carl', principals: ['human:dan', 'human:carl'], isNamed: true }), { given: [carl] }, DONE],
    ['no named one by other names', bob({ principals: ['human:eve', 'human:bob'], isNamed: true }), {}, UNKNOWN],
    ['no named one where nobody knows by which names', bob({ isNamed: true }), { grant: stored({ givenBy: undefined }) }, UNKNOWN],
    ['nobody where there is none', bob(), { grant: undefined }, UNKNOWN],
  ])('%s', async (_, asking, known: Taken, expected) => {
    const { grant, given = [], names = {} } = { grant: stored(), ...known }
    const approvals = { grant: async () => grant, given: async () => given, revokeGrant: async () => REQUEST }
    const { service, recorded } = serviceOf({ approvals, names })
    expect(await refusalOf(revokeGrant(service, asking, 'grt_1', 'Mistaken.'))).toEqual(expected)
    const entry = { entry_type: 'grant_revoked', actor_key: asking.principal, approval_grant_id: 'grt_1', approval: { reason: 'Mistaken.' } }
    expect(recorded).toMatchObject(expected === DONE ? [{ draft: entry }] : [])
  })

  it('nobody once it is spent', async () => {
    const approvals = { grant: async () => stored(), revokeGrant: async () => undefined }
    const { service, recorded } = serviceOf({ approvals })
    expect(await refusalOf(revokeGrant(service, bob(), 'grt_1', undefined))).toEqual(['approval_request_closed', 'The grant is spent, revoked or over.'])
    expect(recorded).toEqual([])
  })
}) // prettier-ignore

describe('an approver is shown', () => {
  const shown = async (request: object = {}, known: Known = {}) =>
    (await approverView(serviceOf(known).service, { ...REQUEST, ...request } as StoredRequest, 'human:zoe')).context

  it('where it is decided', async () => {
    expect(await approverView(serviceOf().service, REQUEST, 'human:zoe')).toMatchObject({ approval_url: 'https://svc.example/apr_1', approval_request_id: 'apr_1' })
    const { service } = serviceOf()
    expect(Object.keys(await approverView({ ...service, pages: {} } as Service, REQUEST, 'human:zoe'))).not.toContain('approval_url')
  })

  it('what a request does, by whose authority, and what may be kept of its inputs', async () => {
    expect(await shown()).toStrictEqual({
      description: 'Books.',
      side_effect: capability().side_effect,
      token: { expires_at: '1970-01-01T00:33:20.000Z' },
      delegation: ['human:ana', 'agent:desk', 'agent:planner'],
      logged_inputs: { hotel: 'Ritz' },
      earlier: { counts: { approved: 0, denied: 0 }, last: [] },
    })
  })

  it('the preview instead of inputs, and the step that waits', async () => {
    const context = await shown({ preview: { total: 3 }, step: { id: 'b', capability: 'pay', parameters: {} } })
    expect(context).toMatchObject({ description: 'Pays.', side_effect: { type: 'irreversible' } })
    expect(Object.keys(context!)).not.toContain('logged_inputs')
  })

  it('what is spent of a cumulative budget, and when the first token of the chain ends', async () => {
    const budget = { currency: 'EUR', max_amount: 10, mode: 'cumulative' }
    const chain = [link('tok_1', 'agent:desk', {}, { exp: 1000 }), link('tok_2', 'agent:planner', {}, { constraints: { budget }, purpose: { task_id: 't' } })]
    expect((await shown({}, { chain: chain as never }))!.token).toStrictEqual({ budget, spent: 2.5, task_id: 't', expires_at: '1970-01-01T00:16:40.000Z' })
    const each = { ...budget, mode: 'per_invocation' }
    const other = [link('tok_2', 'agent:planner', {}, { constraints: { budget: each } })]
    expect((await shown({}, { chain: other as never }))!.token).toStrictEqual({ budget: each, expires_at: '1970-01-01T00:33:20.000Z' })
  })

  it('who has approved it already, where several must', async () => {
    const given = [{ approver: 'human:bob', decided_at: AT, reason: 'Fine.', by: ['human:bob'] }]
    const approvals = { given: async () => given }
    expect((await shown({ approvals_needed: 2 }, { approvals }))!.approved_by).toStrictEqual([{ status: 'approved', approver: 'human:bob', decided_at: AT, reason: 'Fine.' }])
    expect(Object.keys((await shown({}, { approvals }))!)).not.toContain('approved_by')
  })

  it('nothing of tokens that are gone', async () => {
    const context = await shown({ requester: { ...REQUEST.requester, token_id: 'tok_0' } })
    expect(Object.keys(context!)).toEqual(['description', 'side_effect', 'logged_inputs', 'earlier'])
  })
}) // prettier-ignore
