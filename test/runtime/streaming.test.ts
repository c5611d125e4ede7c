import { describe, expect, it } from 'vitest'
import { capability, declares } from './fixture/manifest.js'
import { requestOf, startFixture, type Given } from './fixture/service.js'
import type { HandlerContext, RuntimeLimits } from '../../src/runtime/index.js'
import { DEFAULT_LIMITS } from '../../src/runtime/limits.js'

const capabilities = {
  search: capability({
    response_modes: ['unary', 'streaming'],
    output: { type: 'o', fields: [{ name: 'n', type: 'integer' }] },
    ...declares('sold_out'),
  }),
}

async function stream(search: (input: never, context: HandlerContext) => unknown, given: Given = {}) {
  const fixture = await startFixture({ capabilities, handlers: { search }, ...given })
  const { token } = await fixture.root({ purpose_parameters: { task_id: 'trip-7' } })
  const open = (body: object = {}) =>
    fixture.fetch(
      requestOf('POST', '/svc/invoke/search', { bearer: token, body: { parameters: {}, stream: true, ...body } }),
    )
  return { ...fixture, token, open }
}

const eventsIn = (text: string) =>
  text
    .split('\n\n')
    .filter((each) => each.startsWith('event:'))
    .map((each) => {
      const [event, data] = each.split('\n')
      return { event: event!.slice(7), data: JSON.parse(data!.slice(6)) as { readonly [name: string]: unknown } }
    })

describe('a stream', () => {
  it('tells of progress and ends with the envelope', async () => {
    const { open, trail, token } = await stream(async (_, { progress }) => {
      await progress({ done: 1 })
      await progress('half')
      return { n: 7 }
    })
    const response = await open({ client_reference_id: 'ref-1' })
    expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      200,
      'text/event-stream',
      'no-store',
    ])
    const events = eventsIn(await response.text())
    const head = {
      invocation_id: events[0]?.data['invocation_id'],
      client_reference_id: 'ref-1',
      task_id: 'trip-7',
      timestamp: '2026-03-01T12:00:00.000Z',
    }
    expect(events).toEqual([
      { event: 'progress', data: { ...head, payload: { done: 1 } } },
      { event: 'progress', data: { ...head, payload: 'half' } },
      {
        event: 'completed',
        data: {
          ...head,
          success: true,
          result: { n: 7 },
          stream_summary: { events_emitted: 2, events_delivered: 2, duration_ms: 0, client_disconnected: false },
        },
      },
    ])
    expect((await trail(token)).filter((each) => each['entry_type'] === 'invocation').length).toBe(1)
  })

  it('shows that it is alive while its handler is quiet', async () => {
    const quiet = () => new Promise((resolve) => setTimeout(resolve, 200, { n: 7 }))
    const { open } = await stream(quiet, { limits: { streamHeartbeatMs: 10 } })
    const text = await (await open()).text()
    expect(text.split('\n\n').filter((each) => each.startsWith(':')).length).toBeGreaterThan(2)
    expect(eventsIn(text).map(({ event }) => event)).toEqual(['completed'])
    expect(DEFAULT_LIMITS.streamHeartbeatMs).toBe(15_000)
  })

  it('ends with failed when the handler fails after it started', async () => {
    const { open } = await stream((_, { fail }) => fail('sold_out', 'Nothing is left.'))
    const events = eventsIn(await (await open()).text())
    expect(events.map(({ event }) => event)).toEqual(['failed'])
    expect(events[0]?.data['failure']).toMatchObject({ type: 'sold_out', detail: 'Nothing is left.' })
  })

  it('may take longer than a call that is answered at once, and not for ever', async () => {
    const takes = (ms: number, limits: Partial<RuntimeLimits>) =>
      stream(() => new Promise((resolve) => setTimeout(() => resolve({ n: 1 }), ms).unref()), { limits })
    const longer = await takes(100, { handlerTimeoutMs: 20 })
    expect(eventsIn(await (await longer.open()).text()).map(({ event }) => event)).toEqual(['completed'])
    const forever = await takes(10_000, { streamTimeoutMs: 20 })
    const [ended] = eventsIn(await (await forever.open()).text())
    expect(ended).toMatchObject({ event: 'failed', data: { failure: { type: 'service_unavailable' } } })
  })

  it('does not begin when the call is refused before', async () => {
    const { open } = await stream(() => ({ n: 1 }))
    const response = await open({ task_id: 'trip-8' })
    expect([response.status, response.headers.get('content-type')]).toEqual([403, 'application/json'])
  })

  it('goes on without a client that left, and is recorded once', async () => {
    let finish: (value: unknown) => void = () => undefined
    let left: Promise<void> = Promise.resolve()
    const { open, trail, token, service } = await stream(async (_, { progress }) => {
      await progress(1)
      await left
      await progress(2)
      finish(undefined)
      return { n: 1 }
    })
    const ended = new Promise((resolve) => (finish = resolve))
    let leave: () => void = () => undefined
    left = new Promise((resolve) => (leave = resolve))
    const reader = (await open()).body!.getReader()
    await reader.read()
    await reader.cancel()
    leave()
    await ended
    await service.close()
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(
      (await trail(token)).filter((each) => each['success'] === true && each['entry_type'] === 'invocation').length,
    ).toBe(1)
  })

  it('is one of so many that a principal may have open', async () => {
    const { open, trail, token } = await stream(() => new Promise(() => undefined), {
      limits: { streamsPerPrincipal: 2 },
    })
    expect([(await open()).status, (await open()).status, (await open()).status]).toEqual([200, 200, 429])
    expect((await trail(token, '?success=false')).map((each) => each['failure_type'])).toEqual(['rate_limited'])
  })

  it('gives a slow reader what it takes, and drops the rest', async () => {
    const { open } = await stream(async (_, { progress }) => {
      await Promise.all(Array.from({ length: 40 }, (_each, index) => progress(index)))
      return { n: 1 }
    })
    const response = await open()
    await new Promise((resolve) => setTimeout(resolve, 1200))
    const events = eventsIn(await response.text())
    const summary = events.at(-1)?.data['stream_summary'] as { events_emitted: number; events_delivered: number }
    expect(summary.events_emitted).toBe(40)
    expect(summary.events_delivered).toBeLessThan(40)
  })
})
