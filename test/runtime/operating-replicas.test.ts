/** What an operator's answer waits for where other replicas serve, so that it holds everywhere (threat R05). */
import { expect, it } from 'vitest'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { startFixture } from './fixture/service.js'

/** A service that has others beside it, or none, and how long its answers take. */
async function replica(isShared: boolean) {
  const storage = await openSqlite({ file: ':memory:' })
  const fixture = await startFixture({ storage: { ...storage, isShared } })
  const took = async (path: string, body: object) => {
    const asked = performance.now()
    expect((await fixture.post(path, 'op-key', { reason: 'Drill.', ...body })).status).toBe(200)
    return performance.now() - asked
  }
  return { ...fixture, took }
}

it.each([
  ['the end of tokens', '/-/tokens/revoke', { subject: 'agent:planner' }, 500],
  ['a pause', '/-/capabilities/search/pause', {}, 1_000],
])('the answer to %s waits until each of them knows', async (_, path, body, ms) => {
  const { root, took } = await replica(true)
  await root({ subject: 'agent:planner' })
  expect(await took(path, body)).toBeGreaterThan(ms - 20)
})

it('a stream of the trail ends when the service drains', async () => {
  const { service, root, fetch } = await startFixture({ clock: Date.now })
  const { token } = await root()
  const response = await fetch(new Request('http://127.0.0.1:4100/-/audit/stream', { headers: { authorization: `Bearer ${token}` } })) // prettier-ignore
  const reader = response.body!.getReader()
  expect(new TextDecoder().decode((await reader.read()).value)).toContain('event: from')
  service.lifecycle.draining = true
  expect(service.places.size).toBe(1)
  while (!(await reader.read()).done);
  expect(service.places.size).toBe(0)
})
