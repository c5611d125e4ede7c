/** A stream whose client takes its time: nothing is piled up, and nothing is lost that there is room for (section 4.6). */
import { expect, it, onTestFinished, vi } from 'vitest'
import { openChannel, type Channel } from '../../src/runtime/call/channel.js'

const HOUR = 3_600_000
const fill = (channel: ReturnType<typeof openChannel>) =>
  Promise.all(Array.from({ length: 16 }, (_, n) => channel.send('progress', { n })))
const textOf = (value: Uint8Array | undefined) => Buffer.from(value!).toString()

it('16 events wait for a client; the next is sent as soon as it takes one', async () => {
  const channel = openChannel(HOUR)
  expect(await fill(channel)).toEqual(Array<boolean>(16).fill(true))
  const next = channel.send('progress', { n: 16 })
  const reader = channel.stream.getReader()
  expect(textOf((await reader.read()).value)).toBe('event: progress\ndata: {"n":0}\n\n')
  expect(await next).toBe(true)
  channel.end('completed', {})
  let last: Uint8Array | undefined
  for (let part = await reader.read(); !part.done; part = await reader.read()) last = part.value
  expect(textOf(last)).toBe('event: completed\ndata: {}\n\n')
})

it('an event for a client that takes nothing is dropped, and the last one is not', async () => {
  const channel = openChannel(HOUR)
  await fill(channel)
  expect(await channel.send('progress', { n: 16 })).toBe(false)
  channel.end('completed', {})
  const text = await new Response(channel.stream).text()
  expect([text.match(/event: progress/gu)!.length, text.match(/event: completed/gu)!.length]).toEqual([16, 1])
})

it('a client that has left is sent nothing', async () => {
  const channel = openChannel(HOUR)
  await fill(channel)
  const waiting = channel.send('progress', { n: 16 })
  await channel.stream.cancel()
  expect([await waiting, await channel.send('progress', {}), channel.isAbandoned()]).toEqual([false, false, true])
  expect(() => channel.end('completed', {})).not.toThrow()
})

it.each([
  ['has its last event', (channel: Channel) => channel.end('completed', {})],
  ['is left by its client', (channel: Channel) => void channel.stream.cancel()],
])('a stream that %s beats no more', (_, over) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const channel = openChannel(1_000)
  expect(vi.getTimerCount()).toBe(1)
  over(channel)
  expect(vi.getTimerCount()).toBe(0)
})
