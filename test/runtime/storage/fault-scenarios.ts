/** What a caller sees of a store that fails, over a socket, and what stands in the store when it is well again. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { maintain } from '../../../src/runtime/lifecycle/maintenance.js'
import type { Storage } from '../../../src/runtime/storage/contract.js'
import { capability, input } from '../fixture/manifest.js'
import { startFixture, type Fixture, type Reply } from '../fixture/service.js'

/** A way to fail, and the way back, while the service runs. */
export interface Fault {
  /** Holds when even a write that needs no room fails, as it does for want of a disk but not for want of room in a file. */
  readonly isTotal: boolean
  begin(): Promise<unknown> | void
  end(): Promise<unknown> | void
}

/** So long that no entry finds room in a page that is there already. */
const NOTE = 'x'.repeat(20_000)
const CALLS = 6

const logged = { inputs: [input('note')], observability: { fields_logged: ['note'] } }

const capabilities = {
  look: capability(logged),
  pay: capability({ ...logged, side_effect: { type: 'irreversible' } }),
}

interface Payments {
  readonly fixture: Fixture
  readonly token: string
  /** Keys of the effects, in their order. */
  readonly effects: readonly string[]
  pay(key: string): Promise<Reply>
  /** The fault begins in the handler of the next payment, after its effect. */
  breakNext(fault: Fault): void
}

async function startPayments(storage: Storage): Promise<Payments> {
  const effects: string[] = []
  let next: Fault | undefined
  const fixture = await startFixture({
    capabilities,
    handlers: {
      pay: async (_: object, { invocation }: { invocation: { client_reference_id: string } }) => {
        effects.push(invocation.client_reference_id)
        await next?.begin()
        next = undefined
        return {}
      },
    },
    storage,
    clock: Date.now,
    adapter: 'node',
    limits: { leaseMs: 600 },
  })
  onTestFinished(maintain(fixture.service))
  const { token } = await fixture.root()
  return {
    fixture,
    token,
    effects,
    pay: (key) =>
      fixture.invoke(
        'pay',
        token,
        { parameters: { note: NOTE }, client_reference_id: key },
        { 'idempotency-key': key },
      ),
    breakNext: (fault) => void (next = fault),
  }
}

const toldOf = ({ status, body }: Reply) => [status, body['failure']?.['type'], body['failure']?.['retry']]

const readiness = async ({ call }: Fixture): Promise<number> => (await call('GET', '/-/ready')).status

async function untilReady(fixture: Fixture): Promise<void> {
  while ((await readiness(fixture)) !== 200) await sleep(20)
}

/** Nothing is answered as done that is not, the caller is told that it may try again, and later the same key is done once. */
export async function failsBeforeAnyEffect(storage: Storage, fault: Fault): Promise<void> {
  const { fixture, token, effects, pay } = await startPayments(storage)
  expect((await pay('before')).status).toBe(200)
  await fault.begin()
  const keys = Array.from({ length: CALLS }, (_, n) => `k${n}`)
  const replies = [
    ...(await Promise.all(keys.map(pay))),
    await fixture.invoke('look', token, { parameters: { note: NOTE } }),
  ]
  for (const reply of replies) expect(toldOf(reply)).toEqual([503, 'service_unavailable', true])
  expect(effects).toEqual(['before'])
  if (fault.isTotal) expect(await readiness(fixture)).toBe(503)
  await fault.end()
  await untilReady(fixture)
  await expectOnce(storage, { fixture, token, effects, pay }, keys)
}

/** An effect whose outcome could not be recorded is told as unknown, never as done; nobody repeats it; its entry comes later. */
export async function failsAfterAnEffect(storage: Storage, fault: Fault): Promise<void> {
  const { fixture, token, effects, pay, breakNext } = await startPayments(storage)
  breakNext(fault)
  expect(toldOf(await pay('k0'))).toEqual([500, 'outcome_unknown', false])
  expect(effects).toEqual(['k0'])
  if (fault.isTotal) expect(await readiness(fixture)).toBe(503)
  await fault.end()
  await untilReady(fixture)
  await expectOnce(storage, { fixture, token, effects, pay }, ['k0', 'k1'])
}

/** Each key leads to one effect and one entry, however often it is used; and the trail has no gap. */
async function expectOnce(
  storage: Storage,
  { fixture, token, effects, pay }: Omit<Payments, 'breakNext'>,
  keys: readonly string[],
): Promise<void> {
  for (const key of keys) {
    await settled(() => pay(key))
    const repeated = await pay(key)
    expect([200, 500]).toContain(repeated.status)
    expect(effects.filter((effect) => effect === key)).toHaveLength(1)
    const trail = await fixture.trail(token, `?client_reference_id=${key}`)
    const done = trail.filter((entry) => entry['success'] === true || entry['failure_type'] === 'outcome_unknown')
    expect(done).toHaveLength(1)
  }
  const size = await storage.audit.size()
  const texts = await storage.audit.texts(1, size + 1)
  expect(texts.map(({ sequence }) => sequence)).toEqual(Array.from({ length: size }, (_, index) => index + 1))
}

/** Calls until the answer is not that an earlier call with the key is still under way. */
async function settled(call: () => Promise<Reply>): Promise<void> {
  while ((await call()).body['failure']?.['type'] === 'idempotency_in_progress') await sleep(100)
}
