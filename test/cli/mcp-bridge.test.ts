/** The bridge between an MCP client on standard streams and a service over HTTP: which token goes where, and what comes back. */
import { PassThrough } from 'node:stream'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { bridge } from '../../src/cli/mcp/bridge/bridge.js'
import { mcpHeadersOf } from '../../src/cli/mcp/bridge/headers.js'
import { tokensFor, type Tokens } from '../../src/cli/mcp/bridge/tokens.js'
import { serviceAddress } from '../../src/cli/mcp/service-address.js'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.useRealTimers()
})

interface Asked {
  readonly token: string | null
  readonly redirect: RequestInit['redirect']
  readonly headers: Headers
  readonly body: { readonly params?: { readonly [name: string]: unknown } }
}

/** Stands in for the service: these answers, one after another; the last one again. */
function serviceOf(...answers: readonly (() => Response)[]) {
  const asked: Asked[] = []
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    const headers = new Headers(init.headers)
    asked.push({ token: headers.get('authorization'), redirect: init.redirect, headers, body: JSON.parse(String(init.body)) }) // prettier-ignore
    return answers[Math.min(asked.length, answers.length) - 1]!()
  })
  return asked
}

/** Gives `tok-1`, and after each refusal the next. */
function tokens(): Tokens {
  let number = 1
  return { bearer: async () => `tok-${number}`, refused: (bearer) => void (bearer === `tok-${number}` && number++) }
}

async function said(...messages: readonly unknown[]): Promise<readonly unknown[]> {
  const output = new PassThrough()
  const input = (async function* () {
    for (const each of messages) yield Buffer.from(`${typeof each === 'string' ? each : JSON.stringify(each)}\n`)
  })()
  const upstream = { address: 'https://svc.example/mcp', tokens: tokens(), agreed: undefined }
  await bridge(upstream, input, output, new AbortController().signal)
  output.end()
  const lines = Buffer.concat(await output.toArray())
    .toString()
    .split('\n')
  return lines.slice(0, -1).map((line): unknown => JSON.parse(line))
}

const call = (id: number, params: object = { name: 'search' }) => ({ jsonrpc: '2.0', id, method: 'tools/call', params })
const result = (id: unknown, value: unknown = {}) => ({ jsonrpc: '2.0', id, result: value })
const json = (value: unknown, status = 200, headers: Record<string, string> = {}) => () =>
  Response.json(value, { status, headers }) // prettier-ignore
const events = (...values: readonly unknown[]) => () =>
  new Response(values.map((each) => `data: ${JSON.stringify(each)}\n\n`).join(''), { headers: { 'content-type': 'text/event-stream' } }) // prettier-ignore
const refusal = (retry: boolean) => ({
  success: false,
  failure: { type: 'service_unavailable', detail: 'Busy.', retry },
})

describe('the bridge', () => {
  it('gives each tool call a key of its own, which stays when the call is repeated', async () => {
    const asked = serviceOf(json(refusal(true), 503, { 'retry-after': '0' }), json(result(1)))
    expect(await said(call(1))).toEqual([result(1)])
    const keys = asked.map(({ body }) => JSON.stringify(body.params?.['_meta']))
    expect(keys[0]).toMatch(/^\{"svc-kit\/idempotency_key":"[0-9a-f-]{36}"\}$/u)
    expect(keys).toEqual([keys[0], keys[0]])
  })

  it('leaves a key that a client gives, and other messages, as they are', async () => {
    const params = { name: 'search', _meta: { 'svc-kit/idempotency_key': 'mine', more: 1 } }
    const asked = serviceOf(json(result(1)), json(result(2)))
    await said(call(1, params))
    await said({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} })
    expect(asked.map(({ body }) => body.params)).toEqual([params, {}])
    const beside = serviceOf(json(result(3)))
    await said(call(3, { name: 'search', _meta: { progressToken: 7 } }))
    expect(beside[0]?.body.params?.['_meta']).toMatchObject({ progressToken: 7, 'svc-kit/idempotency_key': expect.any(String) }) // prettier-ignore
  })

  it('draws another token where one is refused, once', async () => {
    const asked = serviceOf(json({}, 401), json(result(1)))
    expect(await said(call(1))).toEqual([result(1)])
    expect(asked.map(({ token }) => token)).toEqual(['Bearer tok-1', 'Bearer tok-2'])
    const again = serviceOf(json({ failure: { detail: 'No.' } }, 401))
    expect(await said(call(1))).toMatchObject([{ id: 1, error: { message: expect.stringMatching(/^No\. Set SVC_TOKEN /u) as string } }]) // prettier-ignore
    expect(again).toHaveLength(2)
  })

  it.each([300, 301, 307, 308])('N20 follows no redirect with its token: %i', async (status) => {
    const asked = serviceOf(() => new Response(null, { status, headers: { location: 'https://evil.example/' } }))
    expect(await said(call(1))).toMatchObject([
      { error: { message: 'The service answered with a redirect, which is not followed.' } },
    ])
    expect(asked.map(({ redirect }) => redirect)).toEqual(['manual'])
  })

  it('takes an event with a blank before its data, and without', async () => {
    const text = `data:${JSON.stringify(result(1))}\n\n`
    serviceOf(() => new Response(text, { headers: { 'content-type': 'text/event-stream' } }))
    expect(await said(call(1))).toEqual([result(1)])
  })

  it('N20 shows no token that comes back, as JSON, as an event, and in a refusal', async () => {
    serviceOf(json(result(1, 'tok-1')))
    expect(await said(call(1))).toEqual([result(1, '[token]')])
    serviceOf(events(result(1, ['tok-1', 'tok-1'])))
    expect(await said(call(1))).toEqual([result(1, ['[token]', '[token]'])])
    serviceOf(json({ failure: { type: 'x', detail: 'It was tok-1.' } }, 403))
    expect(JSON.stringify(await said(call(1)))).not.toContain('tok-1')
  })

  it.each([
    [503, true, 5],
    [503, false, 1],
    [408, true, 5],
    [425, true, 5],
    [429, true, 1],
    [403, true, 1],
  ])('asks again after %i (retry %s): %i requests in all', async (status, retry, requests) => {
    const asked = serviceOf(json(refusal(retry), status, { 'retry-after': '0' }))
    expect(await said(call(1))).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'Busy.', data: { failure: refusal(retry).failure } } },
    ])
    expect(asked).toHaveLength(requests)
  })

  it('passes on its answer and notifications, and nothing that a server asks or answers to others', async () => {
    const note = { jsonrpc: '2.0', method: 'notifications/progress', params: {} }
    const asks = { jsonrpc: '2.0', id: 9, method: 'sampling/createMessage', params: {} }
    serviceOf(events(note, asks, result(2), result('1'), result(1), note))
    expect(await said(call(1))).toEqual([note, result(1)])
    serviceOf(events(note, [note], 'no message', result(1)))
    expect(await said(call(1))).toEqual([note, result(1)])
  })

  it('answers no notification', async () => {
    serviceOf(() => new Response(null, { status: 202 }))
    expect(await said({ jsonrpc: '2.0', method: 'notifications/initialized' })).toEqual([])
    serviceOf(json(refusal(false), 400))
    expect(await said({ jsonrpc: '2.0', method: 'notifications/initialized' })).toEqual([])
  })

  it('takes one message of JSON-RPC 2.0 a line, of 4 MiB at most', async () => {
    const asked = serviceOf(json(result(1)))
    const codes = (await said('{', [call(1)], { id: 1, method: 'x' }, '{"jsonrpc":"2.0","id":1,"id":2,"method":"x"}', { jsonrpc: '2.0', id: 1, method: 'x', params: [1] }, { jsonrpc: '2.0', id: [1], method: 'x' }, { jsonrpc: '2.0' }, ' '.repeat(4 * 1024 * 1024 + 1))) as readonly { readonly error: { readonly code: number } }[] // prettier-ignore
    expect(codes.map(({ error }) => error.code)).toEqual([...Array.from({ length: 7 }, () => -32700), -32600])
    expect(asked).toEqual([])
  })

  it('takes no second request of an id that is in use, and forgets one that is cancelled', async () => {
    vi.stubGlobal('fetch', (_: string, { signal }: RequestInit) =>
      new Promise((__, fail) => signal?.addEventListener('abort', () => fail(signal.reason as Error))),
    ) // prettier-ignore
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
    expect(await said(call(1), call(1), cancelled)).toEqual([
      { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'The id of this request is still in use.' } },
    ])
  })

  it.each([1, 'one'])('hangs up at once where its client cancels the request %j, and not another one', async (id) => {
    const ended: unknown[] = []
    vi.stubGlobal('fetch', (_: string, { signal, body }: RequestInit) =>
      new Promise((__, fail) => signal?.addEventListener('abort', () => (ended.push((JSON.parse(String(body)) as { readonly id: unknown }).id), fail(signal.reason as Error)))),
    ) // prettier-ignore
    const seen: unknown[] = []
    const settle = async () => { for (let turn = 0; turn < 10; turn++) await new Promise((done) => setImmediate(done)) } // prettier-ignore
    const input = (async function* () {
      for (const each of [call(2), { ...call(1), id }, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } }]) { yield Buffer.from(`${JSON.stringify(each)}\n`); await settle() } // prettier-ignore
      seen.push(...ended)
      yield Buffer.from(
        `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } })}\n`,
      )
    })()
    const upstream = { address: 'https://svc.example/mcp', tokens: tokens(), agreed: undefined }
    await bridge(upstream, input, new PassThrough(), new AbortController().signal)
    expect([seen, ended]).toEqual([[id], [id, 2]])
  })

  it.each([
    ['2025-06-18', '2025-06-18'],
    ['2025-06-18\r\nx: y', null],
    ['2'.repeat(21), null],
    ['latest', null],
  ])('says the revision that was agreed on, from then on: %j', async (protocolVersion, said) => {
    const asked = serviceOf(json(result(1, { protocolVersion })), json(result(2)))
    const output = new PassThrough()
    const upstream = { address: 'https://svc.example/mcp', tokens: tokens(), agreed: undefined as string | undefined }
    const send = (message: object) => bridge(upstream, (async function* () { yield Buffer.from(`${JSON.stringify(message)}\n`) })(), output, new AbortController().signal) // prettier-ignore
    await send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} })
    await send({ jsonrpc: '2.0', id: 2, method: 'tools/list' })
    expect(asked.map(({ headers }) => headers.get('mcp-protocol-version'))).toEqual([null, said])
  })
})

it.each<[object, string | undefined, object]>([
  [{ method: 'tools/call', params: { name: 'pay' } }, '2025-06-18', { 'mcp-protocol-version': '2025-06-18' }],
  [{ method: 'tools/call', params: { name: 'pay', _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } } }, '2025-06-18', { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'pay' }],
  [{ method: 'resources/read', params: { uri: 'a:b', name: 'x', _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } } }, undefined, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'resources/read', 'mcp-name': 'a:b' }],
  [{ result: {}, params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } } }, '2025-06-18', { 'mcp-protocol-version': '2025-06-18' }],
])('the headers of %j after %s', (message, agreed, headers) => {
  const common = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  expect(mcpHeadersOf({ jsonrpc: '2.0', ...message }, agreed)).toEqual({ ...common, ...headers })
}) // prettier-ignore

it.each([
  ['pay', 'pay'],
  ['pay now', 'pay now'],
  ['é', '=?base64?w6k=?='],
  [' pay', '=?base64?IHBheQ==?='],
  ['a\r\nX-Evil: 1', '=?base64?YQ0KWC1FdmlsOiAx?='],
  ['=?base64?YQ==?=', '=?base64?PT9iYXNlNjQ/WVE9PT89?='],
  ['', '=?base64??='],
])('the tool %j is %s in a header', (name, header) => {
  const params = { name, _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }
  const headers = mcpHeadersOf({ jsonrpc: '2.0', method: 'tools/call', params }, undefined)
  expect(headers['mcp-name']).toBe(header)
})

describe('the token of the bridge', () => {
  const NOW = Date.parse('2030-01-01T00:00:00.000Z')

  /** How often a token was drawn when it was asked for at these ms, where one lives so long. */
  async function drawnAt(lifeMs: number, ...times: readonly number[]): Promise<readonly number[]> {
    let drawn = 0
    vi.stubEnv('SVC_TOKEN_FILE', '')
    vi.stubEnv('SVC_TOKEN', 'svc_key')
    vi.useFakeTimers({ now: NOW, toFake: ['Date'] })
    vi.stubGlobal('fetch', async () => Response.json({ token: `t${++drawn}`, token_id: 'tok', expires_at: new Date(Date.now() + lifeMs).toISOString() })) // prettier-ignore
    const { bearer } = tokensFor('https://svc.example', { scope: ['a'] })
    const counts: number[] = []
    for (const time of times) {
      vi.setSystemTime(NOW + time)
      expect(new Set(await Promise.all([bearer(), bearer()])).size).toBe(1)
      counts.push(drawn)
    }
    return counts
  }

  it('is drawn once, and again when a tenth of its life is left, or a minute', async () => {
    expect(await drawnAt(3_600_000, 0, 3_239_999, 3_240_000)).toEqual([1, 1, 2])
    expect(await drawnAt(300_000, 0, 239_999, 240_000)).toEqual([1, 1, 2])
    expect(await drawnAt(60_000, 0, 29_999, 30_000)).toEqual([1, 1, 2])
  })

  it('is drawn anew when it was refused, and not when another one was', async () => {
    vi.stubEnv('SVC_TOKEN_FILE', '')
    vi.stubEnv('SVC_TOKEN', 'svc_key')
    let drawn = 0
    vi.stubGlobal('fetch', async () => Response.json({ token: `t${++drawn}`, token_id: 'tok', expires_at: '2100-01-01T00:00:00Z' })) // prettier-ignore
    const held = tokensFor('https://svc.example', { scope: ['a'] })
    const all = [await held.bearer()]
    held.refused('another')
    all.push(await held.bearer())
    held.refused('t1')
    all.push(await held.bearer())
    expect(all).toEqual(['t1', 't1', 't2'])
  })

  it.each([
    ['scope_escalation', 403, 'No.'],
    ['token_expired', 401, 'No. Set SVC_TOKEN to another one, and start the client again.'],
  ])('that is refused with %s says what can be done about it', async (type, status, message) => {
    vi.stubEnv('SVC_TOKEN_FILE', '')
    vi.stubEnv('SVC_TOKEN', 'svc_key')
    const failure = { type, detail: 'No.', retry: false, resolution: { action: 'a', recovery_class: 'terminal' } }
    vi.stubGlobal('fetch', async () => Response.json({ success: false, failure }, { status }))
    const drawn = tokensFor('https://svc.example', { scope: ['a'] }).bearer()
    expect(await drawn.catch((error: Error) => error.message)).toBe(message)
  })

  it('is never a key: what is used as it is must be a delegation token', async () => {
    vi.stubEnv('SVC_TOKEN_FILE', '')
    const jwt = (typ: string) => [{ typ }, { jti: 'tok_1' }, {}].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') // prettier-ignore
    const own = (token: string) => {
      vi.stubEnv('SVC_TOKEN', token)
      return tokensFor('https://svc.example', undefined).bearer()
    }
    expect(await own(jwt('svc-delegation+jwt'))).toBe(jwt('svc-delegation+jwt'))
    for (const other of ['svc_key', jwt('JWT')])
      await expect(own(other)).rejects.toThrow('The credential is no delegation token.')
  })
})

it.each<[string, string]>([
  ['https://svc.example/mcp', 'https://svc.example'],
  ['https://svc.example/', 'https://svc.example'],
  ['http://127.0.0.1:4100/mcp', 'http://127.0.0.1:4100'],
])('the service at %s is at %s', (url, address) => expect(serviceAddress(url)).toBe(address))

it.each([
  ['https://me@svc.example', 'The address takes no user, password, query or fragment'],
  ['https://:secret@svc.example', 'The address takes no user, password, query or fragment'],
  ['https://svc.example/?token=1', 'The address takes no user, password, query or fragment'],
  ['https://svc.example/#token', 'The address takes no user, password, query or fragment'],
  ['http://svc.example', 'would send the credential in the clear'],
  ['svc.example', 'is not an address'],
])('no service is at %s', (url, message) => expect(() => serviceAddress(url)).toThrow(message))
