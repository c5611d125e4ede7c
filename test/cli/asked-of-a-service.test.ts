/** What each command asks a running service, and what it prints of the answer, word for word. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { svc } from '../trust/command.js'

const printed: string[] = []
vi.mock('../../src/cli/shared/output/print.js', async (original) => ({
  ...(await original<object>()),
  print: (text: string) => void printed.push(text),
  isTerminal: () => false,
}))

const KEY = 'svc_key'
/** A delegation token, as far as a command looks into it. */
const TOKEN = `${Buffer.from('{"alg":"ES256","typ":"svc-delegation+jwt"}').toString('base64url')}.${Buffer.from('{"sub":"agent:desk"}').toString('base64url')}.c2ln` // prettier-ignore

beforeEach(() => {
  vi.stubEnv('SVC_URL', 'https://svc.example/base')
  vi.stubEnv('SVC_TOKEN', KEY)
  vi.stubEnv('SVC_TOKEN_FILE', '')
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** Runs a command before a service that gives these answers, and gives what was asked and what was printed. */
async function asking(args: readonly string[], ...answers: readonly object[]) {
  const asked: string[] = []
  printed.length = 0
  const left = [...answers]
  vi.stubGlobal('fetch', async (address: string | URL | Request, init?: RequestInit) => {
    const request = new Request(address, init)
    const text = await request.text()
    const { origin, pathname, search } = new URL(request.url)
    if (origin !== 'https://svc.example' || request.redirect === 'follow') throw new Error('It is asked elsewhere.')
    const key = request.headers.get('idempotency-key') === 'k' ? ' idempotency-key: k' : ''
    const body = (text === '' || text === '{}' ? '' : ` ${text}`) + key
    asked.push(`${request.headers.get('authorization')?.slice(7, 14) ?? 'nobody'} ${request.method} ${pathname}${decodeURIComponent(search)}${body}`)
    if (args[0] === 'call' && pathname === '/base/svc/manifest') return new Response(null, { status: 404 })
    const answer = left.shift() ?? {}
    return Response.json(answer, { status: 'failure' in answer ? 403 : 200 })
  }) // prettier-ignore
  const { code, out, err } = await svc(...args)
  const said = (sign: string, text: string) =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => `${sign} ${line}`)
  return [...asked, ...said('>', printed.join('') + out), ...said('!', err), ...(code === 0 ? [] : [`exit ${code}`])]
}

const REQUEST = {
  approval_request_id: 'apr_1', capability: 'book', requester: { subject: 'agent:desk', root_principal: 'human:ana', token_id: 't' }, requested_parameters: { hotel: 'Ritz\u001b' },
  status: 'pending', reason: null, created_at: '2030-01-01T00:00:00Z', expires_at: '2030-01-02T00:00:00Z',
} // prettier-ignore
const WHOLE = {
  ...REQUEST, checked_cost: { amount: 30, currency: 'EUR' }, preview: { a: 1 }, task_id: 'trip', spent_by: 'inv-1', approvals: 1, approvals_needed: 2, approver_scope: 'gold', reason: 'So',
  context: { side_effect: { type: 'transactional', rollback_window: 'PT2H', compensation: 'cancel' } },
} // prettier-ignore
const effect = (side_effect: object) => ({ ...REQUEST, context: { side_effect } })
const GRANT = { grant_id: 'grt_1', approval_request_id: 'apr_1', capability: 'book', requester: REQUEST.requester, expires_at: '2030-01-02T00:00:00Z', max_uses: 1 } // prettier-ignore
const LISTED = { token_id: 'tok_1', state: 'live', root_principal: 'human:ana', subject: 'agent:desk', scope: ['a', 'b'], expires_at: '2030-01-02T00:00:00Z' } // prettier-ignore
const ISSUED = { token: 'a.b.c', token_id: 'tok_2', expires_at: '2030-01-02T00:00:00Z' }
const CONNECTION = { connection_id: 'con_1', person: 'human:ana', upstream: 'mail', account: 'ana@mail.example', scopes: [], state: 'ended', ended_because: 'interrupted', wanted: ['send'], connected_at: 'C' } // prettier-ignore
const BLOCK = { block_id: 'blk_1', kind: 'api_key', value: 'eve', reason: 'Lost', created_at: 'C' }
const PAUSED = { paused: [{ capability: 'book', reason: 'Broken', paused_by: 'human:op', paused_at: 'T' }] }
const REFUSED = { success: false, failure: { type: 'insufficient_authority', detail: 'You may not.', retry: false, resolution: { action: 'contact_service_owner', recovery_class: 'terminal' } } } // prettier-ignore
const refused = (type: string) => ({ success: false, failure: { ...REFUSED.failure, type, detail: 'There is none.' } })
const NOT_FOUND = refused('not_found')

it.each<[string, readonly string[], readonly object[], readonly string[]]>([
  ['approvals list', ['approvals', 'list'], [{ approval_requests: [REQUEST, { ...REQUEST, approvals_needed: 3 }], count: 2 }], [
    'svc_key GET /base/svc/approval_requests?status=pending',
    '> apr_1  pending  book  agent:desk  until 2030-01-02T00:00:00Z',
    '> apr_1  pending  book  agent:desk  until 2030-01-02T00:00:00Z  0 of 3 approved',
  ]],
  ['approvals list, of one state and capability', ['approvals', 'list', '--status', 'denied', '--capability', 'book'], [{ approval_requests: [] }], [
    'svc_key GET /base/svc/approval_requests?status=denied&capability=book',
    '> No requests.',
  ]],
  ['approvals list, of all', ['approvals', 'list', '--status', 'all'], [{ approval_requests: [] }], [
    'svc_key GET /base/svc/approval_requests',
    '> No requests.',
  ]],
  ['approvals list, of none', ['approvals', 'list', '--status', 'gone'], [], [
    '! svc: Unknown state "gone". Use one of pending, approved, denied, returned, expired, withdrawn or all.',
    'exit 2',
  ]],
  ['approvals show', ['approvals', 'show', 'apr_1'], [WHOLE], [
    'svc_key GET /base/svc/approval_requests/apr_1',
    '> capability    book',
    '> costs         30 EUR',
    '> effect        can be undone for PT2H by cancel',
    '> would do      {"a":1}',
    '> parameters    Hotel: "Ritz\\u001b"',
    '> requested by  agent:desk',
    '> on behalf of  human:ana',
    '> task          trip',
    '> done before   inv-1',
    '> opened        2030-01-01T00:00:00Z',
    '> status        pending',
    '> approved by   1 of 2',
    '> needs scope   gold',
    '> reason        So',
    '> expires at    2030-01-02T00:00:00Z',
  ]],
  ['approvals show, of a quote', ['approvals', 'show', 'apr_1'], [{ ...REQUEST, requested_parameters: { quote_id: 'q', 'trip.name-1': ['a'] }, hidden: ['iban_number'], bound: [{ field: 'quote_id', type: 'fare_quote', price: { amount: 30, currency: 'EUR' }, data: { from_slot: 'Mon, Cost: 1' } }] }], [
    'svc_key GET /base/svc/approval_requests/apr_1',
    '> capability    book',
    '> quoted        Fare quote, 30 EUR, From slot: "Mon, Cost: 1"',
    '> parameters    Quote id: "q", Trip name 1: ["a"]',
    '> hidden        Iban number',
    '> requested by  agent:desk',
    '> on behalf of  human:ana',
    '> opened        2030-01-01T00:00:00Z',
    '> status        pending',
    '> expires at    2030-01-02T00:00:00Z',
  ]],
  ['approvals show, of little', ['approvals', 'show', 'apr_1'], [effect({ type: 'irreversible' })], [
    'svc_key GET /base/svc/approval_requests/apr_1',
    '> capability    book',
    '> effect        cannot be undone',
    '> parameters    Hotel: "Ritz\\u001b"',
    '> requested by  agent:desk',
    '> on behalf of  human:ana',
    '> opened        2030-01-01T00:00:00Z',
    '> status        pending',
    '> expires at    2030-01-02T00:00:00Z',
  ]],
  ['approvals show, of a read', ['approvals', 'show', 'apr_1'], [effect({ type: 'read' })], [
    'svc_key GET /base/svc/approval_requests/apr_1',
    '> capability    book',
    '> effect        reads only',
    '> parameters    Hotel: "Ritz\\u001b"',
    '> requested by  agent:desk',
    '> on behalf of  human:ana',
    '> opened        2030-01-01T00:00:00Z',
    '> status        pending',
    '> expires at    2030-01-02T00:00:00Z',
  ]],
  ['approvals show, of a write', ['approvals', 'show', 'apr_1'], [effect({ type: 'write' })], [
    'svc_key GET /base/svc/approval_requests/apr_1',
    '> capability    book',
    '> effect        changes data; no undo is declared',
    '> parameters    Hotel: "Ritz\\u001b"',
    '> requested by  agent:desk',
    '> on behalf of  human:ana',
    '> opened        2030-01-01T00:00:00Z',
    '> status        pending',
    '> expires at    2030-01-02T00:00:00Z',
  ]],
  ['approvals show, of one to undo', ['approvals', 'show', 'apr_1'], [effect({ type: 'transactional' })], [
    'svc_key GET /base/svc/approval_requests/apr_1',
    '> capability    book',
    '> effect        can be undone',
    '> parameters    Hotel: "Ritz\\u001b"',
    '> requested by  agent:desk',
    '> on behalf of  human:ana',
    '> opened        2030-01-01T00:00:00Z',
    '> status        pending',
    '> expires at    2030-01-02T00:00:00Z',
  ]],
  ['approvals approve', ['approvals', 'approve', 'apr_1'], [GRANT], [
    'svc_key POST /base/svc/approval_grants {"approval_request_id":"apr_1","grant_type":"one_time"}',
    '> Approved: agent:desk may call book once, until 2030-01-02T00:00:00Z.',
  ]],
  ['approvals approve, for a session', ['approvals', 'approve', 'apr_1', '--session', 's', '--uses', '3', '--expires-in', '60', '--reason', 'Yes'], [{ ...GRANT, max_uses: 3 }], [
    'svc_key POST /base/svc/approval_grants {"approval_request_id":"apr_1","grant_type":"session_bound","session_id":"s","max_uses":3,"expires_in_seconds":60,"reason":"Yes"}',
    '> Approved: agent:desk may call book 3 times, until 2030-01-02T00:00:00Z.',
  ]],
  ['approvals approve, one of several', ['approvals', 'approve', 'apr_1'], [{ approval_request_id: 'apr_1', status: 'pending', approvals: 1, approvals_needed: 2 }], [
    'svc_key POST /base/svc/approval_grants {"approval_request_id":"apr_1","grant_type":"one_time"}',
    '> Approved by 1 of 2. Another person must approve, too.',
  ]],
  ['approvals approve, no uses', ['approvals', 'approve', 'apr_1', '--session', 's', '--uses', '0'], [], [
    '! svc: --uses takes a whole number above 0, found "0".',
    'exit 2',
  ]],
  ['approvals approve, no time', ['approvals', 'approve', 'apr_1', '--session', 's', '--expires-in', '1.5'], [], [
    '! svc: --expires-in takes a whole number above 0, found "1.5".',
    'exit 2',
  ]],
  ['approvals deny', ['approvals', 'deny', 'apr_1', '--reason', 'No'], [REQUEST], [
    'svc_key POST /base/svc/approval_requests/apr_1/deny {"reason":"No"}',
    '> Denied: agent:desk may not call book.',
  ]],
  ['approvals withdraw', ['approvals', 'withdraw', 'apr_1'], [{ ...REQUEST, status: 'withdrawn' }], [
    'svc_key POST /base/svc/approval_requests/apr_1/withdraw',
    '> Withdrawn.',
  ]],
  ['approvals withdraw, of a grant', ['approvals', 'withdraw', 'apr_1'], [{ ...REQUEST, status: 'approved' }], [
    'svc_key POST /base/svc/approval_requests/apr_1/withdraw',
    '> What was left of its grant is taken back.',
  ]],
  ['approvals withdraw, refused', ['approvals', 'withdraw', 'apr_1'], [REFUSED], [
    'svc_key POST /base/svc/approval_requests/apr_1/withdraw',
    '! insufficient_authority: You may not.',
    '! Next: report the invocation id to the service owner.',
    'exit 1',
  ]],
  ['token issue', ['token', 'issue', '--scope', 'a', 'b', '--subject', 'agent:p', '--budget', '5.5:EUR', '--cumulative', '--capability', 'book', '--task', 't', '--session', 's', '--ttl-hours', '0.5'], [ISSUED], [
    'svc_key POST /base/svc/tokens {"scope":["a","b"],"subject":"agent:p","budget":{"currency":"EUR","max_amount":5.5,"mode":"cumulative"},"capability":"book","purpose_parameters":{"task_id":"t"},"session_id":"s","ttl_hours":0.5}',
    '> a.b.c',
    '! tok_2, until 2030-01-02T00:00:00Z',
  ]],
  ['token issue, no hours', ['token', 'issue', '--scope', 'a', '--ttl-hours', '0'], [], [
    '! svc: --ttl-hours takes hours above 0, found "0".',
    'exit 2',
  ]],
  ['token issue, refused', ['token', 'issue', '--scope', 'a'], [REFUSED], [
    'svc_key POST /base/svc/tokens {"scope":["a"]}',
    '! insufficient_authority: You may not.',
    '! Next: report the invocation id to the service owner.',
    'exit 1',
  ]],
  ['token revoke', ['token', 'revoke', 'tok_1'], [{ revoked: true, token_id: 'tok_1', descendants: 0 }], [
    'svc_key POST /base/svc/tokens/revoke {"token_id":"tok_1"}',
    '> Revoked tok_1.',
  ]],
  ['token revoke, of several', ['token', 'revoke', 'tok_1'], [{ revoked: true, token_id: 'tok_1', descendants: 2 }], [
    'svc_key POST /base/svc/tokens/revoke {"token_id":"tok_1"}',
    '> Revoked tok_1, and 2 below it.',
  ]],
  ['token tree', ['token', 'tree', '--principal', 'human:ana'], [{ tokens: [{ ...LISTED, budget: { max_amount: 5, currency: 'EUR' } }, { ...LISTED, token_id: 'tok_3', parent_token_id: 'gone' }], next_cursor: 'c1' }, { tokens: [{ ...LISTED, token_id: 'tok_2', parent_token_id: 'tok_1' }] }], [
    'svc_key GET /base/-/tokens?principal=human:ana&limit=1000',
    'svc_key GET /base/-/tokens?principal=human:ana&limit=1000&cursor=c1',
    '> tok_1  live  agent:desk  a b  5 EUR  until 2030-01-02T00:00:00Z',
    '>   tok_2  live  agent:desk  a b  until 2030-01-02T00:00:00Z',
    '> tok_3  live  agent:desk  a b  until 2030-01-02T00:00:00Z',
  ]],
  ['operate tokens', ['operate', 'tokens', '--principal', 'human:ana', '--subject', 'agent:desk', '--api-key', 'k', '--capability', 'book', '--state', 'live', '--cursor', 'c'], [{ count: 3, tokens: [LISTED, { ...LISTED, capability: 'book', credential: { api_key: 'k' } }, { ...LISTED, credential: { issuer: 'i', subject: 'sub' } }], next_cursor: 'd' }], [
    'svc_key GET /base/-/tokens?principal=human:ana&subject=agent:desk&api_key=k&capability=book&state=live&cursor=c',
    '> tok_1  live  human:ana -> agent:desk  until 2030-01-02T00:00:00Z',
    '> tok_1  live  human:ana -> agent:desk  book  key k  until 2030-01-02T00:00:00Z',
    '> tok_1  live  human:ana -> agent:desk  account sub  until 2030-01-02T00:00:00Z',
    '> More: --cursor d',
  ]],
  ['operate tokens, none', ['operate', 'tokens'], [{ count: 0, tokens: [] }], [
    'svc_key GET /base/-/tokens',
    '> No tokens.',
  ]],
  ['operate end', ['operate', 'end', '--api-key', 'eve', '--reason', 'Lost'], [{ revoked: true, tokens: 1, block: BLOCK }], [
    'svc_key POST /base/-/tokens/revoke {"api_key":"eve","reason":"Lost"}',
    '> Revoked 1 token of api key eve and its child tokens.',
    '> Blocked api key eve until lifted: svc operate lift blk_1',
  ]],
  ['operate end, of a token', ['operate', 'end', '--token', 'tok_1', '--reason', 'r'], [{ revoked: true, tokens: 2 }], [
    'svc_key POST /base/-/tokens/revoke {"token_id":"tok_1","reason":"r"}',
    '> Revoked 2 tokens of id tok_1 and their child tokens.',
  ]],
  ['operate end, of a principal', ['operate', 'end', '--principal', 'human:ana', '--reason', 'r'], [{ revoked: true, tokens: 0 }], [
    'svc_key POST /base/-/tokens/revoke {"principal":"human:ana","reason":"r"}',
    'svc_key GET /base/-/tokens',
    '> No live tokens matched.',
  ]],
  ['operate end, of a subject', ['operate', 'end', '--subject', 'agent:desk', '--reason', 'r'], [{ revoked: true, tokens: 0 }], [
    'svc_key POST /base/-/tokens/revoke {"subject":"agent:desk","reason":"r"}',
    'svc_key GET /base/-/tokens',
    '> No live tokens matched.',
  ]],
  ['operate end, of a capability', ['operate', 'end', '--capability', 'book', '--reason', 'r'], [{ revoked: true, tokens: 0 }], [
    'svc_key POST /base/-/tokens/revoke {"capability":"book","reason":"r"}',
    'nobody GET /base/svc/manifest',
    '> No live tokens matched.',
  ]],
  ['operate end, of nobody who is known', ['operate', 'end', '--api-key', 'evee', '--reason', 'r'], [{ revoked: true, tokens: 0, block: BLOCK }, { tokens: [{ ...LISTED, credential: { api_key: 'eve' } }] }], [
    'svc_key POST /base/-/tokens/revoke {"api_key":"evee","reason":"r"}',
    'svc_key GET /base/-/tokens',
    '> No live tokens matched. Did you mean `eve`?',
    '> Blocked api key evee until lifted: svc operate lift blk_1',
  ]],
  ['operate tokens, of nobody who is known', ['operate', 'tokens', '--subject', 'agent:dsk'], [{ count: 0, tokens: [] }, { tokens: [LISTED] }], [
    'svc_key GET /base/-/tokens?subject=agent:dsk',
    'svc_key GET /base/-/tokens',
    '> No tokens. Did you mean `agent:desk`?',
  ]],
  ['operate lift, of a block that is none', ['operate', 'lift', 'blk_11'], [NOT_FOUND, { blocks: [BLOCK] }], [
    'svc_key POST /base/-/blocks/blk_11/lift',
    'svc_key GET /base/-/blocks',
    '! not_found: There is none.',
    '! Next: Did you mean `blk_1`?',
    'exit 1',
  ]],
  ['operate pause, of no capability', ['operate', 'pause', 'bok', '--reason', 'r'], [refused('unknown_capability'), { capabilities: { book: {} } }], [
    'svc_key POST /base/-/capabilities/bok/pause {"reason":"r"}',
    'nobody GET /base/svc/manifest',
    '! unknown_capability: There is none.',
    '! Next: Did you mean `book`?',
    'exit 1',
  ]],
  ['approvals show, of no request', ['approvals', 'show', 'apr_11'], [refused('approval_request_not_found'), { approval_requests: [REQUEST] }], [
    'svc_key GET /base/svc/approval_requests/apr_11',
    'svc_key GET /base/svc/approval_requests',
    '! approval_request_not_found: There is none.',
    '! Next: Did you mean `apr_1`?',
    'exit 1',
  ]],
  ['token issue, for a scope that is none', ['token', 'issue', '--scope', 'shop.raed'], [refused('scope_escalation'), { capabilities: { book: { minimum_scope: ['shop.read'] } }, approvals: { approver_scope: 'shop.approver' } }], [
    'svc_key POST /base/svc/tokens {"scope":["shop.raed"]}',
    'nobody GET /base/svc/manifest',
    '! scope_escalation: There is none.',
    '! Next: Did you mean `shop.read`?',
    'exit 1',
  ]],
  ['operate end, of two', ['operate', 'end', '--capability', 'book', '--token', 't', '--reason', 'r'], [], [
    '! svc: Name exactly one of --principal, --subject, --api-key, --capability and --token.',
    'exit 2',
  ]],
  ['connections list', ['connections', 'list'], [{ count: 1, connections: [CONNECTION], upstreams: ['mail', 'lab'].map((upstream) => ({ upstream, title: upstream.toUpperCase() })) }], [
    'svc_key GET /base/-/connections',
    '> con_1  mail  ana@mail.example  ended (interrupted), asks for more: send  since C',
    '> LAB is not connected: svc connections connect lab',
  ]],
  ['connections list, of everybody', ['connections', 'list', '--all', '--principal', 'human:ana', '--upstream', 'mail'], [{ count: 1, connections: [CONNECTION], upstreams: [] }], [
    'svc_key GET /base/-/connections/all?principal=human:ana&upstream=mail',
    '> con_1  human:ana  mail  ana@mail.example  ended (interrupted), asks for more: send  since C',
    '> 1 accounts.',
  ]],
  ['connections list, of another', ['connections', 'list', '--principal', 'human:ana'], [], [
    '! svc: --principal and --upstream select among the accounts of everybody: add --all.',
    'exit 2',
  ]],
  ['connections connect', ['connections', 'connect', 'mail'], [{ connections: [], upstreams: [{ upstream: 'mail', connection_url: 'https://svc.example/-/console/connections?connect=mail' }] }, { connections: [CONNECTION], upstreams: [] }], [
    'svc_key GET /base/-/connections',
    'svc_key GET /base/-/connections',
    '> ana@mail.example is connected at mail.',
    '! Connect your account at https://svc.example/-/console/connections?connect=mail',
  ]],
  ['connections connect, unknown', ['connections', 'connect', 'box'], [{ connections: [], upstreams: [] }], [
    'svc_key GET /base/-/connections',
    '! svc: There is no upstream system box. List them: svc connections list',
    'exit 2',
  ]],
  ['connections connect, without a console', ['connections', 'connect', 'mail'], [{ connections: [], upstreams: [{ upstream: 'mail' }] }], [
    'svc_key GET /base/-/connections',
    '! svc: The service has no console, in which people connect accounts.',
    'exit 2',
  ]],
  ['connections disconnect', ['connections', 'disconnect', 'con_1'], [CONNECTION], [
    'svc_key POST /base/-/connections/con_1/disconnect',
    '> The account of human:ana at mail is disconnected.',
  ]],
  ['operate blocks', ['operate', 'blocks'], [{ count: 2, blocks: [BLOCK, { ...BLOCK, lifted_at: 'L' }] }], [
    'svc_key GET /base/-/blocks',
    '> blk_1  blocked  api_key eve  Lost  C',
    '> blk_1  lifted  api_key eve  Lost  L',
  ]],
  ['operate blocks, none', ['operate', 'blocks'], [{ count: 0, blocks: [] }], [
    'svc_key GET /base/-/blocks',
    '> Nobody is blocked.',
  ]],
  ['operate lift', ['operate', 'lift', 'blk_1'], [BLOCK], [
    'svc_key POST /base/-/blocks/blk_1/lift',
    '> Lifted: api_key eve may buy tokens again.',
  ]],
  ['operate paused', ['operate', 'paused'], [PAUSED], [
    'svc_key GET /base/-/capabilities',
    '> book  paused  Broken  human:op  T',
  ]],
  ['operate pause', ['operate', 'pause', 'book', '--reason', 'Broken'], [PAUSED], [
    'svc_key POST /base/-/capabilities/book/pause {"reason":"Broken"}',
    '> book  paused  Broken  human:op  T',
  ]],
  ['operate resume', ['operate', 'resume', 'book', '--reason', 'Mended'], [{ paused: [] }], [
    'svc_key POST /base/-/capabilities/book/resume {"reason":"Mended"}',
    '> Nothing is paused.',
  ]],
  ['operate revoke-grant', ['operate', 'revoke-grant', 'grt_1', '--reason', 'r'], [{ revoked: true, grant_id: 'grt_1' }], [
    'svc_key POST /base/-/approval_grants/grt_1/revoke {"reason":"r"}',
    '> Taken back: grt_1.',
  ]],
  ['invocations resolve, it happened', ['invocations', 'resolve', 'inv-1', '--happened', '2.50', '--reason', 'r'], [{ happened: true, cost: { amount: 2.5, currency: 'EUR' }, released: { amount: 7.5, currency: 'EUR' } }], [
    'svc_key POST /base/-/invocations/inv-1/resolve {"happened":true,"amount":2.5,"reason":"r"}',
    '> Resolved inv-1: it happened. It cost 2.5 EUR. Back in its budgets: 7.5 EUR.',
  ]],
  ['invocations resolve, at no known cost', ['invocations', 'resolve', 'inv-1', '--reason', 'r', '--happened'], [{ happened: true }], [
    'svc_key POST /base/-/invocations/inv-1/resolve {"happened":true,"reason":"r"}',
    '> Resolved inv-1: it happened.',
  ]],
  ['invocations resolve, it did not', ['invocations', 'resolve', 'inv-1', '--did-not', '--reason', 'r'], [{ happened: false, cost: { amount: 0, currency: 'EUR' }, released: { amount: 10, currency: 'EUR' } }], [
    'svc_key POST /base/-/invocations/inv-1/resolve {"happened":false,"reason":"r"}',
    '> Resolved inv-1: it did not happen. Back in its budgets: 10 EUR.',
  ]],
  ['invocations resolve, both', ['invocations', 'resolve', 'inv-1', '--did-not', '--happened', '1', '--reason', 'r'], [], [
    '! svc: Pass either --happened [amount] or --did-not.',
    'exit 2',
  ]],
  ['invocations resolve, neither', ['invocations', 'resolve', 'inv-1', '--reason', 'r'], [], [
    '! svc: Pass either --happened [amount] or --did-not.',
    'exit 2',
  ]],
  ['invocations resolve, no amount', ['invocations', 'resolve', 'inv-1', '--happened', '1,5', '--reason', 'r'], [], [
    '! svc: --happened takes an amount such as 240.50, found "1,5".',
    'exit 2',
  ]],
  ['events list', ['events', 'list', '--state', 'dead', '--type', 'approval.requested', '--target', 'ops', '--cursor', 'c'], [{ events: [{ event_id: 'evt_1', state: 'dead', target: 'ops', attempts: 1, created_at: 'C', last_error: 'No answer', next_attempt_at: 'N' }, { event_id: 'evt_2', state: 'delivered', target: 'ops', attempts: 2, created_at: 'C', next_attempt_at: 'N' }], next_cursor: 'd' }], [
    'svc_key GET /base/-/events?state=dead&type=approval.requested&target=ops&cursor=c',
    '> C  dead  ops  evt_1  1 attempt  No answer  again at N',
    '> C  delivered  ops  evt_2  2 attempts',
    '> More: --cursor d',
  ]],
  ['events list, none', ['events', 'list'], [{ events: [] }], [
    'svc_key GET /base/-/events',
    '> No events.',
  ]],
  ['events resend', ['events', 'resend', 'evt_1', '--target', 'ops', '--reason', 'r'], [{ event_id: 'evt_1', targets: ['ops', 'mail'] }], [
    'svc_key POST /base/-/events/evt_1/resend {"target":"ops","reason":"r"}',
    '> Sent again: evt_1 to ops, mail.',
  ]],
  ['permissions', ['permissions'], [{ available: [{ capability: 'search', scope_match: 'a' }], restricted: [{ capability: 'book', reason: 'No scope.', resolution_hint: 'ask' }, { capability: 'hold', reason: 'No depth.' }], denied: [{ capability: 'pay', reason: 'Never.' }] }], [
    'svc_key POST /base/svc/permissions',
    '> may  search  a',
    '> lacks  book  No scope.  ask',
    '> lacks  hold  No depth.',
    '> never  pay  Never.',
  ]],
  ['permissions, none', ['permissions'], [{ available: [], restricted: [], denied: [] }], [
    'svc_key POST /base/svc/permissions',
    '> The service has no capabilities.',
  ]],
])('svc %s', async (_, args, answers, lines) => {
  expect(await asking(args, ...answers)).toEqual(lines)
}) // prettier-ignore

const ENTRY = { timestamp: 'T', sequence: 9, entry_type: 'invocation', invocation_id: 'inv-9', capability: 'book', actor_key: 'agent:desk', root_principal: 'human:ana', success: true, failure_type: null, cost_actual: { amount: 3, currency: 'EUR' }, parent_invocation_id: null } // prettier-ignore
const NEEDED = { success: false, invocation_id: 'inv-2', failure: { type: 'approval_required', detail: 'A person decides.', retry: false, resolution: { action: 'request_approval', recovery_class: 'wait_then_retry' }, approval_request_id: 'apr_1' } } // prettier-ignore
const DONE = { success: true, invocation_id: 'inv-1', result: { text: 'a\u001b' } }
it.each<[string, readonly string[], readonly object[], readonly string[]]>([
  ['call', ['call', 'search', 'city=Faro=x', 'n:=2', 'deep:={"a":[1]}', '--task', 't', '--idempotency-key', 'k'], [DONE], [
    'nobody GET /base/svc/manifest',
    'svc_key POST /base/svc/invoke/search {"parameters":{"city":"Faro=x","n":2,"deep":{"a":[1]}},"approval":"continue","task_id":"t"} idempotency-key: k',
    '> {',
    '>   "text": "a\\u001b"',
    '> }',
  ]],
  ['call, as data', ['call', 'search', '--json'], [DONE], [
    'nobody GET /base/svc/manifest',
    'svc_key POST /base/svc/invoke/search {"parameters":{},"approval":"continue"}',
    '> {',
    '>   "success": true,',
    '>   "invocation_id": "inv-1",',
    '>   "result": {',
    '>     "text": "a\\u001b"',
    '>   }',
    '> }',
  ]],
  ['call, refused', ['call', 'search'], [REFUSED], [
    'nobody GET /base/svc/manifest',
    'svc_key POST /base/svc/invoke/search {"parameters":{},"approval":"continue"}',
    '! insufficient_authority: You may not.',
    '! Next: report the invocation id to the service owner.',
    'exit 1',
  ]],
  ['call, refused as data', ['call', 'search', '--json'], [REFUSED], [
    'nobody GET /base/svc/manifest',
    'svc_key POST /base/svc/invoke/search {"parameters":{},"approval":"continue"}',
    '> {',
    '>   "failure": {',
    '>     "type": "insufficient_authority",',
    '>     "detail": "You may not.",',
    '>     "retry": false,',
    '>     "resolution": {',
    '>       "action": "contact_service_owner",',
    '>       "recovery_class": "terminal"',
    '>     }',
    '>   }',
    '> }',
    'exit 1',
  ]],
  ['call, that needs an approval', ['call', 'book'], [NEEDED], [
    'nobody GET /base/svc/manifest',
    'svc_key POST /base/svc/invoke/book {"parameters":{},"approval":"continue"}',
    '! approval_required: A person decides.',
    '! Next: ask an approver to run svc approvals show apr_1, then make the same call again.',
    'exit 4',
  ]],
  ['call, that needs an approval, as data', ['call', 'book', '--json', '--idempotency-key', 'k'], [NEEDED], [
    'nobody GET /base/svc/manifest',
    'svc_key POST /base/svc/invoke/book {"parameters":{},"approval":"continue"} idempotency-key: k',
    '> {',
    '>   "failure": {',
    '>     "type": "approval_required",',
    '>     "detail": "A person decides.",',
    '>     "retry": false,',
    '>     "resolution": {',
    '>       "action": "request_approval",',
    '>       "recovery_class": "wait_then_retry"',
    '>     },',
    '>     "approval_request_id": "apr_1",',
    '>     "pending": {',
    '>       "capability": "book",',
    '>       "effect": "irreversible",',
    '>       "parameters": {},',
    '>       "approval_request_id": "apr_1",',
    '>       "idempotency_key": "k"',
    '>     }',
    '>   }',
    '> }',
    'exit 4',
  ]],
  ['call, of no input', ['call', 'search', 'city'], [], [
    '! svc: An input is name=text or name:=JSON, or all are in @file, found "city".',
    'exit 2',
  ]],
  ['call, of no JSON', ['call', 'search', 'n:=two'], [], [
    '! svc: The value of n is not JSON: two. Text is given as n=text.',
    'exit 2',
  ]],
  ['call, of no file', ['call', 'search', '@none.json'], [], [
    '! svc: The inputs in none.json cannot be read: SVC0002 unreadable: cannot read `none.json` (ENOENT).',
    'exit 2',
  ]],
  ['permissions, as data', ['permissions', '--json'], [{ available: [], restricted: [], denied: [] }], [
    'svc_key POST /base/svc/permissions',
    '> {',
    '>   "available": [],',
    '>   "restricted": [],',
    '>   "denied": []',
    '> }',
  ]],
  ['operate blocks, refused as data', ['operate', 'blocks', '--json'], [REFUSED], [
    'svc_key GET /base/-/blocks',
    '> {',
    '>   "failure": {',
    '>     "type": "insufficient_authority",',
    '>     "detail": "You may not.",',
    '>     "retry": false,',
    '>     "resolution": {',
    '>       "action": "contact_service_owner",',
    '>       "recovery_class": "terminal"',
    '>     }',
    '>   }',
    '> }',
    'exit 1',
  ]],
  ['permissions, at an address with a password', ['permissions', '--url', 'https://a:b@svc.example'], [], [
    '! svc: The address of the service holds a password. Leave it out: credentials come from SVC_TOKEN_FILE, SVC_TOKEN or svc login.',
    'exit 2',
  ]],
  ['operate blocks, in the clear', ['operate', 'blocks', '--url', 'http://svc.example'], [], [
    '! svc: The baseUrl "http://svc.example" would send the credential in the clear; use https, or set insecureHttp: true in a network that you trust.',
    'exit 2',
  ]],
])('svc %s', async (_, args, answers, lines) => {
  expect(await asking(args, ...answers)).toEqual(lines)
}) // prettier-ignore

it.each([
  ['nothing', {}, 'There is no credential. Set SVC_TOKEN_FILE to a file that holds one, or SVC_TOKEN, or sign in: svc login --url https://svc.example/base'],
  ['a file that is not there', { SVC_TOKEN: KEY, SVC_TOKEN_FILE: '/none/here' }, "The credential in /none/here cannot be read: ENOENT: no such file or directory, open '/none/here'. SVC_TOKEN_FILE names it."],
])('svc asks with no credential from %s', async (_, env, says) => {
  vi.stubEnv('SVC_TOKEN', '')
  vi.stubEnv('XDG_CONFIG_HOME', '/none')
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  expect(await asking(['operate', 'blocks'])).toEqual([`! svc: ${says}`, 'exit 2'])
}) // prettier-ignore

it.each<[string, string, readonly string[], readonly object[], readonly string[]]>([
  ['list, of an auditor', KEY, ['list', '--since', '2h', '--actor', 'agent:desk', '--capability', 'book', '--failed', '--cursor', 'c'], [{ entries: [ENTRY, { ...ENTRY, success: false, failure_type: 'rate_limited', cost_actual: null, actor_key: 'human:ana' }, { ...ENTRY, entry_type: 'token_issued', success: false, capability: null, invocation_id: null }], next_cursor: 'd' }], [
    'svc_key POST /base/-/audit?since=2030-01-07T22:00:00.000Z&actor=agent:desk&capability=book&success=false&cursor=c',
    '> T  9  ok  book  inv-9  agent:desk for human:ana  3 EUR',
    '> T  9  rate_limited  book  inv-9  human:ana',
    '> T  9  failed  token_issued  agent:desk for human:ana  3 EUR',
    '> More: --cursor d',
  ]],
  ['list, of a token', TOKEN, ['list', '--since', '2029-12-31T00:00:00Z'], [{ entries: [] }], [
    'eyJhbGc POST /base/svc/audit?since=2029-12-31T00:00:00.000Z',
    '> No entries.',
  ]],
  ['list, of an actor by a token', TOKEN, ['list', '--actor', 'agent:desk'], [], [
    '! svc: --actor is for auditors: it needs a bootstrap credential of the role auditor, not a token.',
    'exit 2',
  ]],
  ['list, since minutes', KEY, ['list', '--since', '30m'], [{ entries: [] }], [
    'svc_key POST /base/-/audit?since=2030-01-07T23:30:00.000Z',
    '> No entries.',
  ]],
  ['list, since days', KEY, ['list', '--since', '7d'], [{ entries: [] }], [
    'svc_key POST /base/-/audit?since=2030-01-01T00:00:00.000Z',
    '> No entries.',
  ]],
  ['list, since no time', KEY, ['list', '--since', '1w'], [], [
    '! svc: --since takes a time such as 24h, 30m, 7d or 2030-05-01T12:00:00Z, found "1w".',
    'exit 2',
  ]],
  ['show', KEY, ['show', 'inv-9'], [{ entries: [ENTRY] }], [
    'svc_key POST /base/-/audit?invocation_id=inv-9',
    '> {',
    '>   "timestamp": "T",',
    '>   "sequence": 9,',
    '>   "entry_type": "invocation",',
    '>   "invocation_id": "inv-9",',
    '>   "capability": "book",',
    '>   "actor_key": "agent:desk",',
    '>   "root_principal": "human:ana",',
    '>   "success": true,',
    '>   "failure_type": null,',
    '>   "cost_actual": {',
    '>     "amount": 3,',
    '>     "currency": "EUR"',
    '>   },',
    '>   "parent_invocation_id": null',
    '> }',
  ]],
  ['show, of none', KEY, ['show', 'inv-9'], [{ entries: [] }], [
    'svc_key POST /base/-/audit?invocation_id=inv-9',
    '! svc: The trail that you may read has no invocation inv-9.',
    'exit 1',
  ]],
  ['show, refused', KEY, ['show', 'inv-9'], [REFUSED], [
    'svc_key POST /base/-/audit?invocation_id=inv-9',
    '! insufficient_authority: You may not.',
    '! Next: report the invocation id to the service owner.',
    'exit 1',
  ]],
  ['show with its lineage', KEY, ['show', 'inv-9', '--lineage'], [{ entries: [{ ...ENTRY, parent_invocation_id: 'inv-5' }] }, { entries: [{ ...ENTRY, invocation_id: 'inv-5', parent_invocation_id: 'inv-1' }] }, { entries: [{ ...ENTRY, invocation_id: 'inv-1' }] }, { entries: [{ ...ENTRY, invocation_id: 'inv-12' }, { ...ENTRY, invocation_id: 'inv-11' }] }], [
    'svc_key POST /base/-/audit?invocation_id=inv-9',
    'svc_key POST /base/-/audit?invocation_id=inv-5',
    'svc_key POST /base/-/audit?invocation_id=inv-1',
    'svc_key POST /base/-/audit?parent_invocation_id=inv-9',
    '> T  9  ok  book  inv-1  agent:desk for human:ana  3 EUR',
    '> T  9  ok  book  inv-5  agent:desk for human:ana  3 EUR',
    '> T  9  ok  book  inv-9  agent:desk for human:ana  3 EUR',
    '>   T  9  ok  book  inv-11  agent:desk for human:ana  3 EUR',
    '>   T  9  ok  book  inv-12  agent:desk for human:ana  3 EUR',
  ]],
])('svc audit %s', async (_, credential, args, answers, lines) => {
  vi.useFakeTimers({ now: Date.parse('2030-01-08T00:00:00Z'), toFake: ['Date'] })
  vi.stubEnv('SVC_TOKEN', credential)
  expect(await asking(['audit', ...args], ...answers)).toEqual(lines)
}) // prettier-ignore

it('svc token issue writes the token into a file that nobody else may read, whatever was there, and prints nothing of it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-token-out-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'agent.token')
  writeFileSync(file, 'old', { mode: 0o644 })
  expect(await asking(['token', 'issue', '--scope', 'a', '--out', file], ISSUED)).toEqual([
    'svc_key POST /base/svc/tokens {"scope":["a"]}',
    `! ${file}: tok_2, until 2030-01-02T00:00:00Z`,
  ])
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['a.b.c\n', 0o600])
})

it('svc token delegate asks with a delegation token alone', async () => {
  expect(await asking(['token', 'delegate', '--scope', 'a'], ISSUED)).toEqual(['! svc: Not a delegation token. To get one, run svc token issue.', 'exit 2']) // prettier-ignore
  expect(await asking(['token', 'inspect'])).toEqual(['! svc: The credential is no delegation token: only a JWT says what it is for.', 'exit 2']) // prettier-ignore
  vi.stubEnv('SVC_TOKEN', TOKEN)
  expect((await asking(['token', 'delegate', '--scope', 'a'], ISSUED))[1]).toBe('> a.b.c')
  expect(await asking(['token', 'inspect'])).toEqual(['> {', '>   "sub": "agent:desk"', '> }'])
})
