/** The right to run alone: kept while a call runs, given up with it, and lost for good when another may have it (section 8). */
import { afterEach, expect, it, vi } from 'vitest'
import { jointly, takeLease } from '../../src/runtime/call/reserve/lease.js'
import { startFixture } from './fixture/service.js'

afterEach(() => vi.restoreAllMocks())

/** A lease, and its renewal, which is done when a test says so. */
async function taken() {
  const renewals: { readonly every: number; readonly renew: () => void }[] = []
  const timer = setInterval(() => undefined, 60_000)
  vi.spyOn(globalThis, 'setInterval').mockImplementation(((renew: () => void, every: number) => {
    renewals.push({ every, renew })
    return timer
  }) as never)
  const cleared = vi.spyOn(globalThis, 'clearInterval')
  const fixture = await startFixture({ limits: { leaseMs: 9_000 } })
  renewals.length = 0
  const lease = await takeLease(fixture.service, 'token:t', 'inv-1', 'Another one runs.')
  const [{ every, renew } = { every: 0, renew: () => undefined }] = renewals
  return { ...fixture, lease, every, renew, isEnded: () => cleared.mock.calls.some(([given]) => given === timer) }
}
const byAnother = ({ storage, time }: Awaited<ReturnType<typeof taken>>) => {
  time.now += 9_000
  return storage.leases.acquire('token:t', 'inv-2', 9_000)
}

it('is renewed three times within its life, and outlasts it by that', async () => {
  const { every, renew, lease, storage, time } = await taken()
  expect(every).toBe(3_000)
  const renewed = vi.spyOn(storage.leases, 'renew')
  for (let times = 0; times < 5; times++) {
    time.now += 3_000
    renew()
    await renewed.mock.results.at(-1)!.value
  }
  expect(await storage.leases.acquire('token:t', 'inv-2', 1)).toBe(false)
  expect([lease.lost.aborted, await lease.confirm()]).toEqual([false, true])
})

it('is refused to a second one, and free for it once it is released', async () => {
  const { service, lease, isEnded } = await taken()
  await expect(takeLease(service, 'token:t', 'inv-2', 'Another one runs.')).rejects.toThrow('Another one runs.')
  await lease.release()
  expect(isEnded()).toBe(true)
  await expect(takeLease(service, 'token:t', 'inv-2', 'Another one runs.')).resolves.toBeDefined()
})

it('is lost when another has it, and when the store cannot say; then it stays lost', async () => {
  const world = await taken()
  await byAnother(world)
  world.renew()
  await vi.waitFor(() => expect(world.lease.lost.aborted).toBe(true))
  await world.storage.leases.release('token:t', 'inv-2')
  await world.storage.leases.acquire('token:t', 'inv-1', 9_000)
  expect(await world.lease.confirm()).toBe(false)

  const other = await taken()
  const { renew } = other.storage.leases
  Object.assign(other.storage.leases, { renew: () => Promise.reject(new Error('away')) })
  other.renew()
  await vi.waitFor(() => expect(other.lease.lost.aborted).toBe(true))
  Object.assign(other.storage.leases, { renew })
  expect(await other.lease.confirm()).toBe(false)
})

it('is not confirmed to whom it has lapsed', async () => {
  const world = await taken()
  await byAnother(world)
  expect([world.lease.lost.aborted, await world.lease.confirm()]).toEqual([false, false])
})

it('of several is lost with any of them, and confirmed by all', async () => {
  const [one, other] = [new AbortController(), new AbortController()]
  let isHeld = true
  const leases = [
    { lost: one.signal, confirm: async () => true },
    { lost: other.signal, confirm: async () => isHeld },
  ]
  const both = jointly(leases)!
  expect([jointly([]), jointly(leases.slice(0, 1)), await both.confirm()]).toEqual([undefined, leases[0], true])
  isHeld = false
  expect(await both.confirm()).toBe(false)
  other.abort()
  expect(both.lost.aborted).toBe(true)
})
