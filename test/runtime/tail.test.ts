/** The trail as it grows: what ends it, and what is given back then (decisions, section 13). */
import { expect, it } from 'vitest'
import { followTrail } from '../../src/runtime/operate/tail.js'
import { startFixture } from './fixture/service.js'
import { draft } from './storage/examples.js'

async function followed(after?: number) {
  const fixture = await startFixture()
  const { service } = fixture
  await service.record({ draft: draft({ invocation_id: 'inv-1' }) })
  const counts = { looks: 0, released: 0 }
  const follow = () =>
    followTrail(service, {
      takePlace: () => () => void counts.released++,
      after,
      may: async () => (counts.looks++, ({ invocation_id }) => ({ invocation_id })),
    })
  return { ...fixture, counts, follow }
}
const textOf = async (stream: ReadableStream<Uint8Array>) => new Response(stream).text()
const FROM = 'retry: 1000\nid: 1\nevent: from\ndata: 1\n\n'

it('begins after the newest entry, or after the one that was seen', async () => {
  const newest = await followed()
  const reader = (await newest.follow()).getReader()
  expect(Buffer.from((await reader.read()).value!).toString()).toBe(FROM)
  await reader.cancel()
  const seen = await followed(0)
  const other = (await seen.follow()).getReader()
  await other.read()
  expect(Buffer.from((await other.read()).value!).toString()).toBe('id: 1\nevent: entry\ndata: {"invocation_id":"inv-1"}\n\n') // prettier-ignore
  await other.cancel()
})

it('goes on after the last of what it sent', async () => {
  const { service, follow } = await followed(0)
  await service.record({ draft: draft({ invocation_id: 'inv-2' }) })
  const reader = (await follow()).getReader()
  const next = async () => Buffer.from((await reader.read()).value!).toString()
  await next()
  expect((await next()).match(/^id: .*$/gmu)).toEqual(['id: 1', 'id: 2'])
  await service.record({ draft: draft({ invocation_id: 'inv-3' }) })
  expect((await next()).match(/^id: .*$/gmu)).toEqual(['id: 3'])
  await reader.cancel()
})

it('ends with a service that drains, and gives its place back once', async () => {
  const { service, follow, counts } = await followed()
  service.lifecycle.draining = true
  expect(await textOf(await follow())).toBe(FROM)
  expect(counts).toEqual({ looks: 0, released: 1 })
})

it('gives its place back where the store cannot say how far the trail is', async () => {
  const { storage, follow, counts } = await followed()
  Object.assign(storage.audit, { size: () => Promise.reject(new Error('away')) })
  await expect(follow()).rejects.toThrow('away')
  expect(counts.released).toBe(1)
})

it('looks at nothing any more once its reader has left', async () => {
  const { follow, counts } = await followed()
  const reader = (await follow()).getReader()
  await reader.read()
  const next = reader.read()
  await expect.poll(() => counts.looks).toBeGreaterThan(0)
  await reader.cancel()
  await next
  expect(counts.released).toBe(1)
  const { looks } = counts
  await new Promise((resolve) => setTimeout(resolve, 1_700))
  expect(counts.looks).toBeLessThanOrEqual(looks + 1)
  expect(counts.released).toBe(1)
})
