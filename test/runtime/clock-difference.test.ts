import { afterEach, expect, it } from 'vitest'
import { maintain } from '../../src/runtime/lifecycle/maintenance.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { startFixture } from './fixture/service.js'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** A replica whose store is shared, and has a clock that this replica's is ahead of. */
async function replica(aheadMs: number) {
  const ahead = { ms: aheadMs }
  const clock = () => Date.parse('2026-03-01T12:00:00.000Z')
  const store = await openSqlite({ file: ':memory:', clock })
  const storage = { ...store, isShared: true, now: async () => clock() - ahead.ms }
  const fixture = await startFixture({ storage, clock, limits: { leaseMs: 40 } })
  ends.push(maintain(fixture.service), () => store.close())
  const answer = async (method: string, path: string, bearer?: string, body?: object) => {
    const { status, body: said } = await fixture.call(method, path, { bearer, body })
    return `${status} ${said['status'] ?? said['failure']?.['type'] ?? 'ok'}`
  }
  return { ...fixture, ahead, answer }
}

const REFUSED = '503 service_unavailable'

it.each([
  ['an hour ahead', 3600_000],
  ['an hour behind', -3600_000],
  ['31 s ahead', 31_000],
])(
  'N09: a replica whose clock is %s of the database refuses every credential, and is not ready, until they agree',
  async (_, ms) => {
    const { service, ahead, answer, root, logged } = await replica(0)
    const { token } = await root()
    ahead.ms = ms
    await expect.poll(() => service.alarms.all()).toContain('clock_differs')
    expect(logged.join()).toContain(`{"ahead_ms":${ms}}`)
    expect(await answer('GET', '/-/ready')).toBe('503 unavailable')
    expect(await answer('POST', '/svc/invoke/search', token, { parameters: {} })).toBe(REFUSED)
    expect(await answer('POST', '/svc/tokens', 'ana-key', { scope: ['travel.search'] })).toBe(REFUSED)

    ahead.ms = -30_000
    await expect.poll(() => service.alarms.all()).not.toContain('clock_differs')
    expect(await answer('GET', '/-/ready')).toBe('200 ready')
    expect(await answer('POST', '/svc/invoke/search', token, { parameters: {} })).toBe('200 ok')
  },
)
