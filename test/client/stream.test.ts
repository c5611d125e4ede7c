import { describe, expect, it, vi } from 'vitest'
import { TransportError } from '../../src/client/index.js'
import { clientOf, failed } from './fake-service.js'

const HEAD = { invocation_id: 'inv-000000000001', timestamp: '2030-05-01T09:30:00.000Z' }
const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
const DONE = event('completed', { ...HEAD, success: true, result: { rows: 2 } })

/** The text in pieces of a few bytes, as networks deliver it. */
function events(text: string, size = 7): Response {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.subarray(at, (at += size)))
    },
  })
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
}

describe('a streaming call', () => {
  it('gives its progress, then its outcome', async () => {
    const { client, seen } = clientOf([
      events(
        `${event('progress', { ...HEAD, payload: 'première' })}: beat\n\n${event('progress', { ...HEAD, payload: 2 })}${DONE}`,
      ),
    ])
    const stream = client.streaming.pay({ month: 5 })
    const steps: unknown[] = []
    for await (const { payload } of stream) steps.push(payload)
    expect(steps).toEqual(['première', 2])
    expect(await stream.outcome()).toMatchObject({ success: true, result: { rows: 2 } })
    expect(seen[0]?.body).toEqual({ parameters: { month: 5 }, stream: true })
  })

  it('has a key where it changes something, its own or a given one', async () => {
    const { client, seen } = clientOf([events(DONE), events(DONE)])
    await client.streaming.pay().outcome()
    await client.streaming.pay({}, { idempotency_key: 'k1' }).outcome()
    expect(seen[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/u)
    expect(seen[1]?.headers['idempotency-key']).toBe('k1')
  })

  it('throws where it ends as a call of another task', async () => {
    const { client } = clientOf([events(event('completed', { ...HEAD, success: true, result: 1, task_id: 'other' }))])
    await expect(client.streaming.pay({}, { task_id: 'trip' }).outcome()).rejects.toThrow('one of another call')
  })

  it('may last for as long as a timer can count, where its limit is longer', async () => {
    vi.useFakeTimers()
    const start = (controller: ReadableStreamDefaultController<Uint8Array>): void =>
      void setTimeout(() => (controller.enqueue(new TextEncoder().encode(DONE)), controller.close()), 60_000)
    const answer = new Response(new ReadableStream({ start }), { headers: { 'Content-Type': 'text/event-stream' } })
    const limits = { timeoutMs: 2 ** 40, streamTimeoutMs: 2 ** 40 }
    const outcome = clientOf([answer], limits).client.streaming.pay().outcome()
    await vi.advanceTimersByTimeAsync(60_000)
    vi.useRealTimers()
    expect(await outcome).toMatchObject({ success: true })
  })

  it('gives its outcome to one who reads no progress', async () => {
    const { client } = clientOf([events(event('progress', { ...HEAD, payload: 1 }) + DONE)])
    expect(await client.streaming.pay().outcome()).toMatchObject({ success: true })
  })

  it('is made for a capability that only streams, whoever asks for its outcome alone', async () => {
    const { client, seen } = clientOf([events(event('progress', { ...HEAD, payload: 1 }) + DONE)])
    expect(await client.follow({ month: 5 })).toMatchObject({ success: true, result: { rows: 2 } })
    expect(seen[0]?.body).toEqual({ parameters: { month: 5 }, stream: true })
  })

  it('gives a failure before the stream as an outcome', async () => {
    const { client } = clientOf([
      failed(403, 'budget_exceeded', false, {
        action: 'request_budget_increase',
        recovery_class: 'redelegation_then_retry',
      }),
    ])
    const stream = client.streaming.pay()
    for await (const step of stream) expect.unreachable(String(step))
    expect(await stream.outcome()).toMatchObject({ failure: { type: 'budget_exceeded' } })
  })

  it('throws when the stream breaks off', async () => {
    const { client } = clientOf([events(event('progress', { ...HEAD, payload: 1 }))])
    await expect(client.streaming.pay().outcome()).rejects.toThrow(TransportError)
  })

  it('throws when the connection breaks, and again to whoever asks how it ended', async () => {
    const { client } = clientOf([broken(event('progress', { ...HEAD, payload: 1 }))])
    const stream = client.streaming.pay()
    const steps: unknown[] = []
    const read = async () => {
      for await (const { payload } of stream) steps.push(payload)
    }
    await expect(read()).rejects.toThrow(TransportError)
    await expect(read()).rejects.toThrow(TransportError)
    await expect(stream.outcome()).rejects.toThrow('The stream ended before the call did')
    expect(steps).toEqual([1])
  })

  it('throws what is no event of the interface', async () => {
    const { client } = clientOf([events('event: progress\ndata: <html>\n\n')])
    await expect(client.streaming.pay().outcome()).rejects.toThrow(TransportError)
  })

  it('tells its outcome to all who ask at once', async () => {
    const { client } = clientOf([events(event('progress', { ...HEAD, payload: 1 }) + DONE)])
    const stream = client.streaming.pay()
    const [first, second] = await Promise.all([stream.outcome(), stream.outcome()])
    expect(first).toMatchObject({ success: true })
    expect(second).toBe(first)
  })

  it('throws the reason for which it was aborted', async () => {
    const controller = new AbortController()
    const { client } = clientOf([broken(event('progress', { ...HEAD, payload: 1 }))])
    const stream = client.streaming.pay({}, { signal: controller.signal })
    const read = async () => {
      for await (const _ of stream) controller.abort(new Error('enough'))
    }
    await expect(read()).rejects.toThrow('enough')
  })
})

/** The text, and then the end of the connection. */
function broken(text: string): Response {
  const parts = [new TextEncoder().encode(text)]
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const part = parts.shift()
        if (part === undefined) controller.error(new TypeError('terminated'))
        else controller.enqueue(part)
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
}
