import { describe, expect, it, vi } from 'vitest'
import { connect, type PendingCall } from '../../src/client/index.js'
import { clientOf, type FakeClient, failed, json, success, unavailable } from './fake-service.js'

const DIGEST = `sha256:${'0'.repeat(64)}`
const asked = () =>
  failed(
    403,
    'approval_required',
    false,
    { action: 'request_approval', recovery_class: 'wait_then_retry' },
    { approval_request_id: 'apr_1', requested_parameters_digest: DIGEST, grant_policy: {} },
  )
const request = (status: string, more: object = {}) =>
  json(200, {
    approval_request_id: 'apr_1',
    capability: 'pay.now',
    requested_parameters_digest: DIGEST,
    grant_policy: {},
    status,
    reason: null,
    ...more,
  })

describe('a call that needs an approval', () => {
  it('says so, with what is needed to resume it', async () => {
    const { client } = clientOf([asked()])
    const outcome = await client.pay({ amount: 5 }, { task_id: 'trip' })
    expect(outcome).toMatchObject({
      failure: {
        pending: {
          capability: 'pay.now',
          effect: 'write',
          parameters: { amount: 5 },
          approval_request_id: 'apr_1',
          task_id: 'trip',
        },
      },
    })
  })

  it('is resumed under its own key, so that whoever repeats it causes no second effect', async () => {
    const outcome = await clientOf([asked()]).client.pay({ amount: 5 }, { idempotency_key: 'order-1' })
    expect(outcome).toMatchObject({ failure: { pending: { idempotency_key: 'order-1' } } })
  })

  it('says so as a stream, too', async () => {
    const outcome = await clientOf([asked()]).client.streaming.pay({ amount: 5 }, { task_id: 'trip' }).outcome()
    expect(outcome).toMatchObject({
      failure: { pending: { capability: 'pay.now', parameters: { amount: 5 }, approval_request_id: 'apr_1', task_id: 'trip' } },
    })
  }) // prettier-ignore

  it('continues as a stream what only streams', async () => {
    const { client, seen } = clientOf([
      asked(),
      request('approved', { capability: 'follow_it', grant_id: 'grt_1' }),
      success({ paid: true }),
    ])
    const first = await client.streaming.follow({ amount: 5 }).outcome()
    const { pending } = (first as unknown as { failure: { pending: PendingCall } }).failure
    expect(await client.resume(JSON.parse(JSON.stringify(pending)) as PendingCall)).toMatchObject({ success: true })
    expect(seen[2]?.body).toEqual({ parameters: { amount: 5 }, approval_grant: 'grt_1', stream: true })
  })

  it('goes on under its approval by the same call, also where it only streams, by its method and by its name', async () => {
    const bodies: unknown[] = []
    const fetch: typeof globalThis.fetch = async (_, init) => {
      bodies.push(JSON.parse(String(init?.body)))
      return success({ paid: true })
    }
    const follow = { capability: 'follow_it', effect: 'write', streams: true, unary: false, approvable: true } as const
    const client = connect<FakeClient>({ baseUrl: 'https://service.test', credential: 'key', fetch }, {
      read: { capability: 'read_it', effect: 'read' }, readForMoney: { capability: 'm', effect: 'read' }, pay: { capability: 'pay.now', effect: 'write' }, follow,
    }) // prettier-ignore
    await client.streaming.follow({ amount: 5 }).outcome()
    await client.follow({ amount: 5 })
    await client.invoke('follow_it', { amount: 5 })
    const body = { parameters: { amount: 5 }, approval: 'continue', stream: true }
    expect(bodies).toEqual([body, body, body])
  })

  it('waits by long-poll and continues with the grant', async () => {
    const { client, seen } = clientOf([
      asked(),
      request('pending'),
      request('approved', { grant_id: 'grt_1' }),
      success({ paid: true }),
    ])
    expect(await client.pay({ amount: 5 }, { approval: 'wait', task_id: 'trip' })).toMatchObject({
      success: true,
      result: { paid: true },
    })
    expect(seen.map(({ path }) => path)).toEqual([
      '/svc/invoke/pay.now',
      '/svc/approval_requests/apr_1?wait=20',
      '/svc/approval_requests/apr_1?wait=20',
      '/svc/invoke/pay.now',
    ])
    expect(seen[3]?.body).toEqual({ parameters: { amount: 5 }, task_id: 'trip', approval_grant: 'grt_1' })
    expect(seen[3]?.headers['idempotency-key']).not.toBe(seen[0]?.headers['idempotency-key'])
  })

  it('tells what was decided when there is no grant', async () => {
    const { client } = clientOf([asked(), request('denied', { reason: 'too dear' })])
    expect(await client.pay({}, { approval: 'wait' })).toMatchObject({
      success: false,
      failure: {
        type: 'approval_denied',
        detail: 'Denied by a person: too dear.',
        decision: { status: 'denied' },
      },
    })
  })

  const PENDING = { capability: 'pay.now', effect: 'write', parameters: {}, approval_request_id: 'apr_1' } as const
  const wait = { action: 'wait_and_retry', recovery_class: 'wait_then_retry' }
  const again = { action: 'request_approval', recovery_class: 'wait_then_retry' }
  it.each([
    ['pending', 'approval_required', true, wait, 'Wait, then resume the call: a person decides approval request apr_1, until 2026-03-01T12:00:00.000Z.'],
    ['approved', 'approval_required', true, wait, 'Make the same call again: approval request apr_1 was approved.'],
    ['denied', 'approval_denied', false, { action: 'contact_service_owner', recovery_class: 'terminal' }, 'Denied by a person: too dear.'],
    ['returned', 'approval_returned', false, { action: 'revise_parameters', recovery_class: 'revalidate_then_retry' }, 'Sent back by a person with a question: too dear.'],
    ['expired', 'approval_required', false, again, 'Nobody decided approval request apr_1 in time. The same call opens a new one.'],
    ['withdrawn', 'approval_required', false, again, 'Approval request apr_1 was withdrawn. The same call opens a new one.'],
  ])('%s is %s where the call is resumed: retry %s', async (status, type, retry, resolution, detail) => {
    const told = { reason: status === 'denied' || status === 'returned' ? 'too dear' : null, expires_at: '2026-03-01T12:00:00.000Z' } // prettier-ignore
    const { client, seen } = clientOf([request(status, told)])
    const decided = { approval_request_id: 'apr_1', capability: 'pay.now', requested_parameters_digest: DIGEST, grant_policy: {}, status, ...told } // prettier-ignore
    const open = type === 'approval_required' ? { requested_parameters_digest: DIGEST, grant_policy: {}, pending: PENDING } : {} // prettier-ignore
    expect(await client.resume(PENDING)).toEqual({
      success: false,
      failure: { type, detail, retry, resolution, approval_request_id: 'apr_1', ...open, ...(status !== 'pending' && { decision: decided }) },
    })
    expect(seen.map(({ path }) => path)).toEqual(['/svc/approval_requests/apr_1'])
  }) // prettier-ignore

  it('waits for so many seconds where it is asked to, and tells of the open request each time', async () => {
    vi.useFakeTimers()
    const asks: string[] = []
    const fetch: typeof globalThis.fetch = async (input) => {
      asks.push(String(input).replace(/^.*apr_1/u, ''))
      vi.advanceTimersByTime(1500)
      return request('pending', { expires_at: 'later' })
    }
    const told: string[] = []
    const resumed = clientOf([], { fetch }).client.resume(PENDING, { wait: 4, onPending: ({ status }) => told.push(status) }) // prettier-ignore
    await vi.runAllTimersAsync()
    vi.useRealTimers()
    expect(await resumed).toMatchObject({ failure: { type: 'approval_required', retry: true, pending: PENDING } })
    expect([asks, told]).toEqual([
      ['', '?wait=3', '?wait=1'],
      ['pending', 'pending', 'pending'],
    ])
  })

  it('is not repeated by itself while a person decides', async () => {
    const { client, seen } = clientOf([failed(403, 'approval_required', true, wait, { approval_request_id: 'apr_1' })])
    expect(await client.pay({})).toMatchObject({ failure: { retry: true } })
    expect(seen).toHaveLength(1)
  })

  it.each(['', '.', '..', 7])('is no approval where the request is called %j', async (approval_request_id) => {
    const failure = failed(403, 'approval_required', false, { action: 'request_approval', recovery_class: 'wait_then_retry' }, { approval_request_id }) // prettier-ignore
    await expect(clientOf([failure]).client.pay()).rejects.toThrow(
      'The service demands an approval, and names no approval request.',
    )
  })

  it('ends no sentence twice', async () => {
    const { client } = clientOf([asked(), request('denied', { reason: 'Too dear!' })])
    expect(await client.pay({}, { approval: 'wait' })).toMatchObject({
      failure: { detail: 'Denied by a person: Too dear!' },
    })
  })

  it('resumes after a restart', async () => {
    const stored = JSON.stringify({
      capability: 'pay.now',
      effect: 'write',
      parameters: { amount: 5 },
      approval_request_id: 'apr_1',
    })
    const { client, seen } = clientOf([request('approved', { grant_id: 'grt_1' }), success({ paid: true })])
    expect(await client.resume(JSON.parse(stored) as PendingCall)).toMatchObject({ success: true })
    expect(seen[1]?.body).toEqual({ parameters: { amount: 5 }, approval_grant: 'grt_1' })
  })

  it('is one call, however often it is resumed', async () => {
    const approved = () => request('approved', { grant_id: 'grt_1' })
    const { client, seen } = clientOf([asked(), approved(), success({}), approved(), success({})])
    const outcome = await client.pay({ amount: 5 })
    if (outcome.success || !('pending' in outcome.failure)) throw new Error('It did not ask.')
    await client.resume(outcome.failure.pending!)
    await client.resume(outcome.failure.pending!)
    expect(seen[2]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/u)
    expect(seen[4]?.headers['idempotency-key']).toBe(seen[2]?.headers['idempotency-key'])
  })

  it('goes on waiting while the service is away', async () => {
    vi.useFakeTimers()
    const { client } = clientOf([
      asked(),
      new TypeError('connection refused'),
      new Response('<html>', { status: 504 }),
      unavailable(),
      request('approved', { grant_id: 'grt_1' }),
      success({ paid: true }),
    ])
    const outcome = client.pay({}, { approval: 'wait' })
    await vi.runAllTimersAsync()
    expect(await outcome).toMatchObject({ success: true })
    vi.useRealTimers()
  })

  it('is waited for through 30 questions in a row that nobody answers, and no more', async () => {
    vi.useFakeTimers()
    const away = (times: number) => Array.from({ length: times }, () => new TypeError('connection refused'))
    const approved = () => [request('approved', { grant_id: 'grt_1' }), success({ paid: true })]
    const reached = clientOf([asked(), ...away(30), ...approved()]).client.pay({}, { approval: 'wait' })
    const lost = clientOf([asked(), ...away(31), ...approved()]).client.pay({}, { approval: 'wait' })
    const outcomes = Promise.allSettled([reached, lost])
    await vi.runAllTimersAsync()
    vi.useRealTimers()
    expect(await outcomes).toMatchObject([{ value: { success: true } }, { reason: { name: 'TransportError' } }])
  })

  it('is asked for ten times a second at most, where the service does not wait', async () => {
    vi.useFakeTimers()
    const { client, seen } = clientOf([asked(), request('pending'), request('denied')])
    const outcome = client.pay({}, { approval: 'wait' })
    await vi.advanceTimersByTimeAsync(99)
    expect(seen).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1)
    vi.useRealTimers()
    expect(await outcome).toMatchObject({ failure: { decision: { status: 'denied' } } })
  })

  it('is given back to be resumed where its caller leaves between two questions', async () => {
    const controller = new AbortController()
    const fetch: typeof globalThis.fetch = async (input) => {
      if (!String(input).includes('approval_requests')) return asked()
      setTimeout(() => controller.abort(new Error('enough')))
      return request('pending')
    }
    const { client } = clientOf([], { fetch, retries: 0 })
    expect(await client.pay({}, { approval: 'wait', signal: controller.signal })).toMatchObject({
      failure: { type: 'approval_required', pending: { approval_request_id: 'apr_1' } },
    })
  })

  it('does not ask for ever with a credential that is refused', async () => {
    const refused = failed(401, 'authentication_required', true, {
      action: 'provide_credentials',
      recovery_class: 'retry_now',
    })
    const { client, seen } = clientOf([asked(), refused])
    expect(await client.pay({}, { approval: 'wait' })).toMatchObject({ failure: { type: 'authentication_required' } })
    expect(seen).toHaveLength(2)
  })

  it('continues once, also where it only reads: an answer that is lost would take the grant along', async () => {
    const { client, seen } = clientOf([
      asked(),
      request('approved', { capability: 'read_it', grant_id: 'grt_1' }),
      success({}),
    ])
    await client.read({}, { approval: 'wait' })
    expect(seen[2]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/u)
  })

  it('keeps where it came from, to say it again', async () => {
    const lineage = { client_reference_id: 'r', task_id: 't', parent_invocation_id: 'inv-000000000009', upstream_service: 'u' } // prettier-ignore
    const outcome = await clientOf([asked()]).client.pay({}, lineage)
    expect(outcome).toMatchObject({ failure: { pending: lineage } })
  })

  it.each([
    ['approved', {}],
    ['expired', { grant_id: 'grt_1' }],
    ['withdrawn', { grant_id: 'grt_1' }],
  ])('is not made again where the request is %s with %j', async (status, more) => {
    const { client, seen } = clientOf([asked(), request(status, more)])
    expect(await client.pay({}, { approval: 'wait' })).toMatchObject({
      success: false,
      failure: { decision: { status } },
    })
    expect(seen).toHaveLength(2)
  })

  it('is resumed by the method of its own capability alone', async () => {
    const { client, seen } = clientOf([])
    const { resume } = client.read as unknown as { resume(pending: PendingCall): Promise<unknown> }
    const pending = { capability: 'pay.now', effect: 'write', parameters: {}, approval_request_id: 'apr_1' } as const
    await expect(resume(pending)).rejects.toThrow('The pending call is one of pay.now, not of read_it.')
    expect(seen).toEqual([])
  })

  it('is in the error where the wait fails, so that it can be resumed', async () => {
    const { client } = clientOf([asked(), new Response('<html>', { status: 404 })])
    await expect(client.pay({}, { approval: 'wait' })).rejects.toMatchObject({
      name: 'TransportError',
      pending: { capability: 'pay.now', approval_request_id: 'apr_1' },
    })
  })

  it('waits for the approver longer than for an answer', async () => {
    vi.useFakeTimers()
    const fetch: typeof globalThis.fetch = (input, init) =>
      new Promise((resolve, reject) => {
        if (!String(input).includes('approval_requests')) return resolve(asked())
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
        setTimeout(() => resolve(request('denied')), 20_000)
      })
    const { client } = clientOf([], { fetch, timeoutMs: 1000, retries: 0 })
    let outcome: unknown
    void client.pay({}, { approval: 'wait' }).then((ended) => (outcome = ended))
    await vi.advanceTimersByTimeAsync(20_000)
    vi.useRealTimers()
    expect(outcome).toMatchObject({ failure: { decision: { status: 'denied' } } })
  })

  it('asks for no further approval under a grant', async () => {
    const bodies: unknown[] = []
    const fetch: typeof globalThis.fetch = async (_, init) => {
      bodies.push(JSON.parse(String(init?.body)))
      return success({})
    }
    const client = connect<FakeClient>({ baseUrl: 'https://service.test', fetch }, {
      pay: { capability: 'pay.now', effect: 'write', streams: true, approvable: true },
    } as never)
    await client.pay({}, { approval_grant: 'grt_1' })
    await client.streaming.pay({}, { approval_grant: 'grt_1' }).outcome()
    expect(bodies).toEqual([
      { parameters: {}, approval_grant: 'grt_1' },
      { parameters: {}, approval_grant: 'grt_1', stream: true },
    ])
  })

  it('ends a wait by its signal while the service holds the question', async () => {
    const controller = new AbortController()
    const fetch: typeof globalThis.fetch = (input, init) =>
      new Promise((resolve, reject) => {
        if (!String(input).includes('approval_requests')) return resolve(asked())
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
        controller.abort(new Error('enough'))
      })
    const { client } = clientOf([], { fetch, timeoutMs: 1000, retries: 0 })
    const outcome = await client.pay({}, { approval: 'wait', signal: controller.signal })
    expect(outcome).toMatchObject({ failure: { pending: { approval_request_id: 'apr_1' } } })
  }, 10_000)

  it('gives the pending call back when the wait is aborted', async () => {
    const { client } = clientOf([asked(), new DOMException('stop', 'AbortError')])
    const outcome = await client.pay({}, { approval: 'wait', signal: AbortSignal.abort(new Error('stop')) })
    expect(outcome).toMatchObject({
      failure: { type: 'approval_required', pending: { capability: 'pay.now', approval_request_id: 'apr_1' } },
    })
  })
})
