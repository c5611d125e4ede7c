/** When an event is tried, by whom, and when no more (decisions, section 13). */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { backOff, pauseAfter } from '../../src/runtime/events/back-off.js'
import { deliverBatch } from '../../src/runtime/events/deliver.js'
import { deliverDue, giveUpEvents, startDelivery } from '../../src/runtime/events/dispatch.js'
import { postTo } from '../../src/runtime/events/post.js'
import type { Delivered, NotifyTarget } from '../../src/runtime/events/targets/target.js'
import { webhook } from '../../src/runtime/events/notify.js'
import { accept, startReceiver, SECRET, status } from './fixture/receiver.js'
import { startFixture } from './fixture/service.js'

describe('an event that failed is tried again', () => {
  it.each([
    [1, 5_000],
    [2, 15_000],
    [3, 60_000],
    [4, 300_000],
    [5, 900_000],
    [6, 1_800_000],
    [7, 1_800_000],
    [100, 1_800_000],
  ])('after failure %i in %i ms, or a fifth later', (failed, ms) => {
    expect([backOff(failed, 0, () => 0), backOff(failed, 0, () => 1)]).toEqual([ms, ms * 1.2])
  })

  it('no sooner than its receiver asks for, and no sooner than its turn', () => {
    expect([backOff(1, 90_000, () => 0), backOff(3, 1_000, () => 0), backOff(1, undefined, () => 0)]).toEqual([
      90_000, 60_000, 5_000,
    ])
  })

  it.each([
    [1, 1_000],
    [2, 2_000],
    [5, 16_000],
    [6, 30_000],
    [40, 30_000],
  ])('its target is left alone after %i failures for %i ms', (failures, ms) => {
    expect(pauseAfter(failures)).toBe(ms)
  })
})

const EVENT = { id: 'alarm.raised.x', type: 'alarm.raised', subject: 'x', body: '{"id":"alarm.raised.x"}' } as const

/** A target that answers as it is told to, and keeps what it was sent. */
function targetOf(name: string, answer: () => Delivered | Promise<Delivered> = () => ({ ok: true })) {
  const sent: string[] = []
  const told = { answer }
  const target: NotifyTarget = {
    name,
    events: ['alarm.raised'],
    problems: [],
    deliver: async ({ body }) => (sent.push(body), told.answer()),
  }
  return { target, sent, told }
}

const no = (error: string) => (): Delivered => ({ ok: false, error })

async function start(...targets: readonly NotifyTarget[]) {
  const fixture = await startFixture({ notify: targets })
  const names = targets.map(({ name }) => name)
  const add = (...subjects: readonly string[]) =>
    fixture.storage.outbox.add(
      subjects.map((subject) => ({ ...EVENT, id: `alarm.raised.${subject}`, subject, body: JSON.stringify({ subject }), targets: names })), // prettier-ignore
    )
  return { ...fixture, add }
}

describe('a target that fails', () => {
  it('is left alone until its pause has ended, is then probed with one event, and gets the rest when that arrives', async () => {
    const { target, sent, told } = targetOf('ops', no('status 503'))
    const { service, add, time, logged } = await start(target)
    await add('a', 'b', 'c')
    const health = { failures: 0, pausedUntil: 0, refused: new Set<number>() }
    await deliverDue(service, target, health)
    expect(health).toMatchObject({ failures: 1, pausedUntil: time.now + 1_000 })
    const first = sent.length
    await deliverDue(service, target, health)
    expect(sent.length).toBe(first)

    time.now += 60_000
    await deliverDue(service, target, health)
    expect(sent.length).toBe(first + 1)
    expect(health).toMatchObject({ failures: 2, pausedUntil: time.now + 2_000 })
    told.answer = () => ({ ok: true })
    time.now += 60_000
    await deliverDue(service, target, health)
    expect(health.failures).toBe(0)
    expect(new Set(sent.slice(first + 1))).toEqual(new Set(['a', 'b', 'c'].map((subject) => JSON.stringify({ subject })))) // prettier-ignore
    expect(logged).toEqual([
      'An event could not be delivered, and will be tried again. {"target":"ops","error":"status 503"}',
      'Events are delivered again. {"target":"ops"}',
    ])
  })

  it('does not keep another from its events', async () => {
    const [bad, good] = [targetOf('bad', no('status 500')), targetOf('good')]
    const { service, add, storage } = await start(bad.target, good.target)
    await add('a')
    const round: { work?: () => Promise<unknown>; ms?: number } = {}
    const rounds: (typeof round)[] = []
    const stop = startDelivery(service, { uptime: () => 0, every: (work, ms) => (rounds.push({ work, ms }), () => undefined) }) // prettier-ignore
    await stop()
    expect([bad.sent.length, good.sent.length, rounds.map(({ ms }) => ms)]).toEqual([1, 1, [1_000, 1_000]])
    for (const name of ['events:bad', 'events:good'])
      expect(await storage.leases.acquire(name, 'another replica', 1_000)).toBe(true)
  })

  it('is tried again in the next round although the store was away in this one', async () => {
    const { target, sent } = targetOf('ops')
    const { service, add, storage, logged } = await start(target)
    await add('a')
    vi.spyOn(storage.outbox, 'due').mockRejectedValueOnce(new Error('no connection'))
    const rounds: (() => Promise<unknown>)[] = []
    const stop = startDelivery(service, { uptime: () => 0, every: (work) => (rounds.push(work), () => undefined) })
    await rounds[0]!()
    expect([sent, logged]).toEqual([[], ['Events could not be delivered. {"target":"ops","error":"Error: no connection"}']]) // prettier-ignore
    await rounds[0]!()
    expect(sent).toEqual(['{"subject":"a"}'])
    await stop()
  })
})

describe('an event that its target refuses', () => {
  const refuses = (what: string, error: string) => {
    const { target, sent } = targetOf('ops')
    const deliver: NotifyTarget['deliver'] = async (sending, signal) =>
      sending.body.includes(what) ? (await target.deliver(sending, signal), { ok: false, error }) : target.deliver(sending, signal) // prettier-ignore
    return { target: { ...target, deliver }, sent }
  }

  it.each(['status 500', 'status 400', 'status 413'])('with %s delays no other, and is tried again in its turn', async (error) => {
    const { target, sent } = refuses('"b"', error)
    const { service, add, time, logged } = await start(target)
    await add('a', 'b', ...Array.from({ length: 60 }, (_, index) => `c${index}`))
    await deliverDue(service, target)
    expect([sent.length, new Set(sent).size]).toEqual([62, 62])
    expect(logged).toEqual([
      `An event could not be delivered, and will be tried again. {"target":"ops","error":"${error}","event":"alarm.raised.b"}`,
    ])
    time.now += 7_000
    await deliverDue(service, target)
    expect(sent.length).toBe(63)
  }) // prettier-ignore

  it('makes the target count as failing where it refuses three and takes none', async () => {
    const { target, sent } = refuses('', 'status 404')
    const { service, add, time } = await start(target)
    await add(...Array.from({ length: 60 }, (_, index) => `c${index}`))
    const health = { failures: 0, pausedUntil: 0, refused: new Set<number>() }
    await deliverDue(service, target, health)
    expect(health).toMatchObject({ failures: 1, pausedUntil: time.now + 1_000 })
    expect(sent.length).toBeLessThanOrEqual(10)
  })

  it('with 410 is a dead letter at once, and is not tried again', async () => {
    const { target, sent } = refuses('"b"', 'status 410')
    const { service, add, time, storage, logged } = await start(target)
    await add('a', 'b', 'c')
    await deliverDue(service, target)
    time.now += 3_600_000
    await deliverDue(service, target)
    expect(sent.length).toBe(3)
    expect(await storage.outbox.list({ state: 'dead', limit: 9 })).toMatchObject([{ event_id: 'alarm.raised.b', last_error: 'status 410' }]) // prettier-ignore
    expect(service.alarms.all()).toEqual(['events_undelivered'])
    expect(logged).toEqual(['Events were not delivered and are dead letters now. {"target":"ops","count":1,"command":"svc events list --state dead"}']) // prettier-ignore
  })
})

it('what waited for 72 h is a dead letter, for each target, and health and the log say so', async () => {
  const [first, second] = [targetOf('first'), targetOf('second')]
  const { service, add, time, logged } = await start(first.target, second.target)
  await add('a')
  time.now += 72 * 3_600_000 - 1
  await giveUpEvents(service)
  expect([service.alarms.all(), logged]).toEqual([[], []])
  time.now += 1
  await giveUpEvents(service)
  expect(service.alarms.all()).toEqual(['events_undelivered'])
  expect(logged).toEqual(
    ['first', 'second'].map(
      (target) =>
        `Events were not delivered and are dead letters now. {"target":"${target}","count":1,"command":"svc events list --state dead"}`,
    ),
  )
})

it('a target of which nothing is given up leaves the next one its own', async () => {
  const [first, second] = [targetOf('first'), targetOf('second')]
  const { service, storage, time, logged } = await start(first.target, second.target)
  await storage.outbox.add([{ ...EVENT, targets: ['second'] }])
  time.now += 72 * 3_600_000
  await giveUpEvents(service)
  expect([service.alarms.all(), logged]).toEqual([
    ['events_undelivered'],
    [
      'Events were not delivered and are dead letters now. {"target":"second","count":1,"command":"svc events list --state dead"}',
    ],
  ])
})

describe('a batch', () => {
  const due = (count: number) => Array.from({ length: count }, (_, sequence) => ({ sequence, eventId: `e${sequence}`, type: 'alarm.raised' as const, body: '{}', attempts: 2 })) // prettier-ignore
  const settledBy = (settled: unknown[]) => ({
    now: () => 0,
    storage: { outbox: { settle: async (attempts: readonly unknown[]) => void settled.push(...attempts) } } as never,
  })
  const signal = new AbortController().signal

  it('goes out eight at a time, and no delivery begins after a failure, whose error and next time are noted', async () => {
    const waiting: ((answer: Delivered) => void)[] = []
    const { target, sent } = targetOf('ops', () => new Promise((answer) => void waiting.push(answer)))
    const settled: object[] = []
    const batch = deliverBatch(settledBy(settled), target, due(20), signal)
    await vi.waitFor(() => expect(sent.length).toBe(8))
    waiting[0]!({ ok: false, error: 'status 503', retryAfterMs: 7_200_000 })
    for (const [index, answer] of waiting.slice(1).entries())
      answer(index === 3 ? { ok: false, error: 'status 504' } : { ok: true })
    expect(await batch).toEqual({ delivered: 6, error: 'status 503', refused: [], gone: 0 })
    expect([sent.length, settled[0]]).toEqual([
      8,
      { sequence: 0, ok: false, error: 'status 503', againInMs: 7_200_000 },
    ])
    // The third failure of this event.
    const { againInMs } = settled[4] as { readonly againInMs: number }
    expect(againInMs >= 60_000 && againInMs <= 72_000).toBe(true)
  })

  it('that is stopped notes what arrived, and no failure', async () => {
    const stopping = new AbortController()
    let count = 0
    const { target } = targetOf('ops', async () => (count++ === 0 ? { ok: true } : (stopping.abort(), { ok: false, error: 'stopped' }))) // prettier-ignore
    const settled: object[] = []
    await deliverBatch(settledBy(settled), target, due(2), stopping.signal)
    expect(settled).toEqual([{ sequence: 0, ok: true }])
  })

  it('of which nothing was tried notes nothing', async () => {
    const settle = vi.fn<() => Promise<void>>()
    const { target } = targetOf('ops')
    await deliverBatch({ now: () => 0, storage: { outbox: { settle } } as never }, target, [], signal)
    expect(settle).not.toHaveBeenCalled()
  })
})

describe('a receiver', () => {
  const receiverWith = async (...given: Parameters<typeof startReceiver>) => {
    const receiver = await startReceiver(...given)
    onTestFinished(receiver.close)
    return receiver
  }
  const send = (url: string, signal = new AbortController().signal) =>
    postTo({ url, allowPrivate: false })({ 'x-own': 'yes' }, '{"ä":1}', signal)

  it.each([
    [200, { ok: true }],
    [299, { ok: true }],
    [300, { ok: false, error: 'status 300', retryAfterMs: undefined }],
    [404, { ok: false, error: 'status 404', retryAfterMs: undefined }],
  ])('that answers %i has %j', async (code, delivered) => {
    expect(await send((await receiverWith(status(code))).url)).toEqual(delivered)
  })

  it.each(['-5', 'soon', 'Infinity', '1.5', ''])('asks for no time with retry-after %s', async (value) => {
    const { url } = await receiverWith(status(503, { 'retry-after': value }))
    expect(await send(url)).toEqual({ ok: false, error: 'status 503', retryAfterMs: undefined })
  })

  it.each([
    ['0', 1_000],
    ['120', 120_000],
    ['7200', 3_600_000],
    ['Sun, 06 Nov 1994 08:50:37 GMT', 60_000],
    ['Sunday, 06-Nov-94 08:50:37 GMT', 60_000],
    ['Sun Nov  6 08:50:37 1994', 60_000],
    ['Sun, 06 Nov 1994 08:40:00 GMT', 1_000],
  ])('asks with retry-after %s for %i ms', async (value, retryAfterMs) => {
    const { url } = await receiverWith(status(503, { 'retry-after': value, date: 'Sun, 06 Nov 1994 08:49:37 GMT' }))
    expect(await send(url)).toEqual({ ok: false, error: 'status 503', retryAfterMs })
  })

  it('is sent the bytes and headers by POST, and nothing once delivery stops', async () => {
    const { url, received } = await receiverWith(accept)
    expect(await send(url)).toEqual({ ok: true })
    expect([received[0]!.headers['x-own'], received[0]!.headers['content-length'], received[0]!.body]).toEqual([
      'yes',
      '8',
      '{"ä":1}',
    ])
    const stopping = new AbortController()
    const held = await receiverWith(() => stopping.abort())
    expect(await send(held.url, stopping.signal)).toEqual({ ok: false, error: 'stopped' })
  })

  it.each([
    [23, 1],
    [24, 0],
    [64, 0],
    [65, 1],
  ])('has a secret of %i bytes: %i problems', (bytes, problems) => {
    const secret = (size: number) =>
      `whsec_${Buffer.from(Array.from({ length: size }, (_, at) => 7 * at)).toString('base64')}`
    const url = 'https://hooks.example/x'
    expect(webhook({ name: 'ops', url, secret: secret(bytes) }).problems.length).toBe(problems)
    expect(webhook({ name: 'ops', url, secret: [SECRET, secret(bytes)] }).problems.length).toBe(problems)
  })

  it('has a secret of many characters, as one that was made at random', () => {
    const problemsOf = (text: string) =>
      webhook({ name: 'ops', url: 'https://hooks.example/x', secret: `whsec_${text}` }).problems.length
    expect(['ABCDEFGH'.repeat(4), 'ABCDEFGA'.repeat(4), 'A'.repeat(32)].map(problemsOf)).toEqual([0, 1, 1])
  })

  it('has at least one secret, and a name of 64 characters at most', () => {
    const url = 'https://hooks.example/x'
    expect(webhook({ name: 'ops', url, secret: [] }).problems).toHaveLength(1)
    const problemsOf = (name: string) => webhook({ name, url, secret: SECRET }).problems.length
    expect(['a'.repeat(64), 'a'.repeat(65), '', '-a', 'a-1', 'A'].map(problemsOf)).toEqual([0, 1, 1, 1, 0, 1])
  })
})
