/** What a tool call gets of an endpoint: its answer, or its refusal, and when to come back. */
import { expect, it } from 'vitest'
import { askService } from '../../../src/runtime/surfaces/mcp/ask-service.js'
import { capability } from '../fixture/manifest.js'
import { startFixture } from '../fixture/service.js'

async function asking(limits: object) {
  const { root, service } = await startFixture({ capabilities: { look: capability({}) }, handlers: { look: () => ({}) }, limits }) // prettier-ignore
  const { token: bearer } = await root()
  return (more: object = {}) =>
    askService(service, 'invoke', {
      bearer,
      client: 'test',
      segments: { capability: 'look' },
      body: { parameters: {} },
      ...more,
    })
}

it('a call beyond its rate says when to come back', async () => {
  const ask = await asking({ invocationsPerMinute: 1 })
  expect(await ask()).toMatchObject({ success: true })
  expect(await ask()).toMatchObject({ success: false, failure: { type: 'rate_limited' }, retry_after: expect.any(Number) }) // prettier-ignore
})

it('the same key gets the same answer, and another one another', async () => {
  const ask = await asking({})
  const ids = [await ask({ idempotencyKey: 'k1' }), await ask({ idempotencyKey: 'k1' }), await ask({ idempotencyKey: 'k2' })].map((each) => each['invocation_id']) // prettier-ignore
  expect(new Set(ids).size).toBe(2)
  expect(ids[0]).toBe(ids[1])
})

it('a streamed call that makes no progress still shows that it runs', async () => {
  const { root, service } = await startFixture({
    capabilities: { look: capability({ response_modes: ['streaming'] }) },
    handlers: { look: () => new Promise((resolve) => setTimeout(resolve, 100, {})) },
    limits: { streamHeartbeatMs: 10 },
  })
  const { token: bearer } = await root()
  const heard: unknown[] = []
  const request = { bearer, client: 'test', segments: { capability: 'look' }, body: { parameters: {}, stream: true } }
  await askService(service, 'invoke', request, async (payload) => void heard.push(payload))
  expect(heard.slice(0, 2)).toEqual(['still running', 'still running'])
})
