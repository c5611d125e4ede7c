import { describe, expect, it, vi } from 'vitest'
import { connect, TransportError } from '../../src/client/index.js'
import { withRetries } from '../../src/client/retry.js'
import { clientOf, failed, json, success, unavailable, type FakeClient } from './fake-service.js'

describe('a call', () => {
  it('sends inputs, lineage and the credential, and gives the envelope', async () => {
    const { client, seen } = clientOf([success({ paid: true })])
    const outcome = await client.pay({ amount: 5 }, { task_id: 'trip', idempotency_key: 'k1' })
    expect(outcome).toEqual({ success: true, invocation_id: 'inv-000000000001', result: { paid: true } })
    expect(seen).toEqual([
      {
        method: 'POST',
        path: '/svc/invoke/pay.now',
        headers: {
          accept: 'application/json',
          authorization: 'Bearer key',
          'content-type': 'application/json',
          'idempotency-key': 'k1',
        },
        body: { parameters: { amount: 5 }, task_id: 'trip' },
      },
    ])
  })

  it('asks for a credential each time', async () => {
    let number = 0
    const { client, seen } = clientOf([success({}), success({})], { credential: () => `key-${++number}` })
    await client.read()
    await client.read()
    expect(seen.map(({ headers }) => headers['authorization'])).toEqual(['Bearer key-1', 'Bearer key-2'])
  })

  it.each(['key\n', '\tkey', ' key '])('takes a credential of a file for what it is: %j', async (credential) => {
    const { client, seen } = clientOf([success({})], { credential })
    await client.read()
    expect(seen[0]?.headers['authorization']).toBe('Bearer key')
  })

  it('makes an idempotency key where it changes something or costs money, and none where it reads', async () => {
    const { client, seen } = clientOf([success({}), success({}), success({})])
    await client.read()
    await client.pay()
    await client.readForMoney()
    expect(seen[2]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/u)
    expect(seen[0]?.headers['idempotency-key']).toBeUndefined()
    expect(seen[1]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/u)
  })

  it('of a capability that nobody knows here is believed to change something, and to need an approval', async () => {
    const { client, seen } = clientOf([success({})])
    await client.invoke('sell.all')
    expect(seen[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/u)
    expect(seen[0]?.body).toEqual({ parameters: {}, approval: 'continue' })
  })

  it('has a key where it uses up a grant, also where it only reads', async () => {
    const { client, seen } = clientOf([success({})])
    await client.read({}, { approval_grant: 'grt_1' })
    expect(seen[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/u)
  })

  it('sends nothing of what is for the client alone', async () => {
    const { client, seen } = clientOf([success({}), success({})])
    const { signal } = new AbortController()
    await client.read({}, { retries: 1, signal })
    await client.streaming.pay({}, { retries: 1, signal }).outcome()
    expect(seen.map(({ body }) => body)).toEqual([{ parameters: {} }, { parameters: {}, stream: true }])
  })

  it('reads brackets in texts, and a list of any length, for what they are', async () => {
    const result = { text: '"['.repeat(3000), rows: Array.from({ length: 2000 }, () => ({ empty: [] })) }
    const { client } = clientOf([success(result)])
    expect(await client.read()).toMatchObject({ success: true, result })
  })

  it('does not show a credential that no header can carry', async () => {
    const { client, seen } = clientOf([], { credential: 'svc_sec\nret', retries: 0 })
    await expect(client.read()).rejects.toThrow(
      new TransportError('The credential has characters that a header cannot carry.'),
    )
    expect(seen).toEqual([])
  })

  it('gives a governed failure as a value', async () => {
    const { client } = clientOf([
      failed(403, 'scope_insufficient', false, {
        action: 'request_broader_scope',
        recovery_class: 'redelegation_then_retry',
      }),
    ])
    expect(await client.read()).toMatchObject({ success: false, failure: { type: 'scope_insufficient' } })
  })

  it.each([
    ['a page of a proxy', () => new Response('<html>', { status: 502 }), 'https://service.test/svc/invoke/read_it'],
    ['JSON that is no envelope', () => json(200, { ok: true }), 'without an envelope'],
    ['a failure of another kind', () => json(503, { failure: { type: 'busy' } }), 'without an envelope'],
  ])('throws for %s', async (_, answer, message) => {
    const { client } = clientOf([answer()], { retries: 0 })
    await expect(client.read()).rejects.toThrow(TransportError)
    const again = clientOf([answer()], { retries: 0 })
    await expect(again.client.read()).rejects.toThrow(
      message === 'without an envelope' ? message : 'without a JSON object',
    )
  })
})

it.each([
  ['invocation_id', 7], ['client_reference_id', 7], ['task_id', null], ['parent_invocation_id', {}], ['upstream_service', []],
  ['cost_actual', 5], ['budget_context', 'EUR'],
])('takes an answer whose %s is %j for none, whatever it ended as', async (member, value) => {
  const failure = { type: 'rate_limited', detail: 'no', retry: false, resolution: {} }
  for (const ended of [{ success: true, result: {} }, { success: false, failure }]) {
    const { client } = clientOf([json(200, { invocation_id: 'inv-1', ...ended, [member]: value })], { retries: 0 })
    await expect(client.read()).rejects.toThrow('without an envelope')
  }
}) // prettier-ignore

it('leaves nothing with the signal of its caller, also where it has waited to repeat', async () => {
  vi.useFakeTimers()
  const { signal } = new AbortController()
  const [taken, left] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')]
  const { client } = clientOf([unavailable(), success({})])
  const outcome = client.read({}, { signal })
  await vi.runAllTimersAsync()
  vi.useRealTimers()
  expect(await outcome).toMatchObject({ success: true })
  const listenersOf = ({ mock }: typeof taken | typeof left): readonly unknown[] => mock.calls.map((given) => given[1])
  expect(listenersOf(taken).length).toBeGreaterThan(2)
  expect(listenersOf(taken).filter((each) => !listenersOf(left).includes(each))).toEqual([])
})

it('asks by the fetch of the moment: what observes requests may replace it after the client was made', async () => {
  const client = connect<FakeClient>({ baseUrl: 'https://service.test' }, {} as never)
  vi.stubGlobal('fetch', async () => json(200, { available: [], restricted: [], denied: [] }))
  expect(await client.permissions()).toMatchObject({ success: true })
  vi.unstubAllGlobals()
})

describe('a question beside calls', () => {
  it('goes to no other path, whatever an id holds, and says nothing of what is not given', async () => {
    const { client, seen } = clientOf([failed(404, 'not_found', false, TERMINAL), failed(404, 'not_found', false, TERMINAL)])
    await client.approvals.read('a/b?c$&')
    await client.checkpoints.read('chk_1', {})
    expect(seen.map(({ path }) => path)).toEqual(['/svc/approval_requests/a%2Fb%3Fc%24%26', '/svc/checkpoints/chk_1'])
  }) // prettier-ignore

  /** Its base64url has both characters that base64 writes otherwise. */
  const tokenOf = (typ: string): string =>
    [{ typ }, { jti: 'tok_1', sub: 'human:zoë>???' }, {}]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')

  it.each([
    ['svc-delegation+jwt', { parent_token: 'tok_1', subject: 'human:zoë>???', scope: ['a'] }],
    ['JWT', { scope: ['a'] }],
  ])('asks for a token below a delegation token, and for a root token with any other: %s', async (typ, body) => {
    const { client, seen } = clientOf([json(200, { token: 't', token_id: 'tok_2' })], { credential: tokenOf(typ) })
    await client.delegate({ scope: ['a'] })
    expect(seen.map((each) => [each.path, each.body])).toEqual([['/svc/tokens', body]])
  })

  it('asks for a token of another subject where one is named', async () => {
    const { client, seen } = clientOf([json(200, { token: 't', token_id: 'tok_2' })], { credential: tokenOf('svc-delegation+jwt') }) // prettier-ignore
    await client.delegate({ scope: ['a'], subject: 'agent:desk' })
    expect(seen[0]?.body).toEqual({ parent_token: 'tok_1', subject: 'agent:desk', scope: ['a'] })
  })
})

const TERMINAL = { action: 'contact_service_owner', recovery_class: 'terminal' }

describe('repeating a call', () => {
  /** How many requests are sent before a success that comes after these answers. */
  async function requestsFor(...answers: readonly Response[]): Promise<number> {
    vi.useFakeTimers()
    const { client, seen } = clientOf([...answers, success({})])
    const outcome = client.pay().catch(() => undefined)
    await vi.runAllTimersAsync()
    await outcome
    vi.useRealTimers()
    return seen.length
  }
  const page = (status: number, retryAfter?: string) =>
    new Response('<html>', { status, ...(retryAfter !== undefined && { headers: { 'Retry-After': retryAfter } }) })

  it.each([
    [500, 2],
    [503, 2],
    [408, 2],
    [425, 2],
    [429, 2],
    [400, 1],
    [404, 1],
    [499, 1],
  ])('after a page of a proxy with %i makes %i requests', async (status, requests) => {
    expect(await requestsFor(page(status))).toBe(requests)
  })

  it('waits for a minute where that is asked for, and no longer', async () => {
    expect(await requestsFor(unavailable({ 'Retry-After': '60' }))).toBe(2)
    expect(await requestsFor(unavailable({ 'Retry-After': '61' }))).toBe(1)
    expect(await requestsFor(page(503, '60'))).toBe(2)
    expect(await requestsFor(page(503, '61'))).toBe(1)
  })

  it('repeats twice, unless it is told otherwise', async () => {
    expect(await requestsFor(unavailable(), unavailable(), unavailable(), unavailable())).toBe(3)
  })

  it('repeats what may be tried at once', async () => {
    const now = { action: 'retry_now', recovery_class: 'retry_now' }
    expect(await requestsFor(failed(409, 'idempotency_in_progress', true, now))).toBe(2)
  })

  it('repeats after an answer that was cut off, and not after a whole one that is none', async () => {
    const cut = new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) })
    expect(await requestsFor(new Response(cut))).toBe(2)
    expect(await requestsFor(new Response('{"success": tru'))).toBe(1)
    expect(await requestsFor(json(200, { ok: true }))).toBe(1)
  })

  it('waits and repeats with the same key while the service says that this may help', async () => {
    vi.useFakeTimers()
    const { client, seen } = clientOf([unavailable(), new TypeError('connection reset'), success({ paid: true })])
    const outcome = client.pay()
    await vi.runAllTimersAsync()
    expect(await outcome).toMatchObject({ success: true })
    expect(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    vi.useRealTimers()
  })

  it('waits twice as long each time, up to ten seconds', async () => {
    vi.useFakeTimers({ now: 0 })
    const random = vi.spyOn(Math, 'random').mockReturnValue(1)
    const at: number[] = []
    const failure = {
      type: 'rate_limited',
      retry: true,
      resolution: { action: 'wait_and_retry', recovery_class: 'wait_then_retry' },
    } as const
    const attempt = async () => (at.push(Date.now()), { outcome: { success: false, failure } })
    const done = withRetries(attempt, { retries: 7, signal: undefined })
    await vi.runAllTimersAsync()
    await done
    expect(at.map((time, index) => time - (at[index - 1] ?? 0))).toEqual([0, 250, 500, 1000, 2000, 4000, 8000, 10_000])
    random.mockRestore()
    vi.useRealTimers()
  })

  it('never waits less than the service asks for', async () => {
    vi.useFakeTimers()
    const { client, seen } = clientOf([unavailable({ 'Retry-After': '3' }), success({})])
    const outcome = client.read()
    await vi.advanceTimersByTimeAsync(2_999)
    expect(seen).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(2)
    expect(await outcome).toMatchObject({ success: true })
    vi.useRealTimers()
  })

  it.each([
    [
      'a stale binding',
      failed(409, 'binding_stale', true, { action: 'refresh_binding', recovery_class: 'refresh_then_retry' }),
    ],
    [
      'a missing credential',
      failed(401, 'authentication_required', true, { action: 'provide_credentials', recovery_class: 'retry_now' }),
    ],
    [
      'a terminal failure',
      failed(500, 'internal_error', false, { action: 'contact_service_owner', recovery_class: 'terminal' }),
    ],
  ])('does not repeat %s', async (_, answer) => {
    const { client, seen } = clientOf([answer])
    await client.read()
    expect(seen).toHaveLength(1)
  })

  it.each([300, 304, 399])('follows no redirect with %i', async (status) => {
    const { client } = clientOf([new Response(null, { status })])
    await expect(client.read()).rejects.toThrow('a redirect, which is not followed')
  })

  it.each([
    ['a page that blames the request', () => new Response('<html>', { status: 413 })],
    ['a redirect', () => new Response(null, { status: 307, headers: { Location: 'https://elsewhere.test/' } })],
    [
      'a page that asks to wait for an hour',
      () => new Response('', { status: 503, headers: { 'Retry-After': '3600' } }),
    ],
  ])('throws for %s, and does not repeat', async (_, answer) => {
    const { client, seen } = clientOf([answer()])
    await expect(client.pay()).rejects.toThrow(TransportError)
    expect(seen).toHaveLength(1)
  })

  it.each([
    ['7', 7000],
    ['0', 0],
    ['-7', 0],
    ['Sun, 01 Mar 2026 12:00:05 GMT', 0],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('an error says how long a page asks to wait: %j as %j', async (asked, retryAfterMs) => {
    const { client } = clientOf([page(503, asked)], { retries: 0 })
    await expect(client.read()).rejects.toMatchObject({ name: 'TransportError', status: 503, retryAfterMs })
  })

  it('gives the answer back that asks to wait longer than a call may take', async () => {
    const { client, seen } = clientOf([unavailable({ 'Retry-After': '3000000' })])
    expect(await client.read()).toMatchObject({ failure: { type: 'service_unavailable' } })
    expect(seen).toHaveLength(1)
  })

  it.each(['5', 'Sun, 01 Mar 2026 12:00:05 GMT'])('waits as long as a page of a proxy asks for: %s', async (asked) => {
    vi.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00.000Z') })
    const { client, seen } = clientOf([
      new Response('', { status: 503, headers: { 'Retry-After': asked } }),
      success({}),
    ])
    const outcome = client.read()
    await vi.advanceTimersByTimeAsync(4_999)
    expect(seen).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(2)
    expect(await outcome).toMatchObject({ success: true })
    vi.useRealTimers()
  })

  it('stops after as many repetitions as allowed', async () => {
    const { client, seen } = clientOf([unavailable(), unavailable()], { retries: 0 })
    expect(await client.read()).toMatchObject({ failure: { type: 'service_unavailable' } })
    expect(seen).toHaveLength(1)
  })

  it('stops at once when it is aborted', async () => {
    const { client } = clientOf([unavailable({ 'Retry-After': '60' })])
    const controller = new AbortController()
    const outcome = client.read({}, { signal: controller.signal })
    setTimeout(() => controller.abort(new Error('enough')), 20)
    await expect(outcome).rejects.toThrow('enough')
  })
})
