/** Calls whose outcome the store could not take: what is recorded later, and what a key is good for meanwhile (section 6). */
import { expect, it } from 'vitest'
import { StorageUnavailable } from '../../src/runtime/storage/contract.js'
import { recordOrWait, recordUnrecorded } from '../../src/runtime/call/settle/waiting.js'
import { DamagedRow } from '../../src/runtime/storage/sql/columns.js'
import { capability, input } from './fixture/manifest.js'
import type { HandlerContext } from '../../src/runtime/index.js'
import { startFixture } from './fixture/service.js'
import { draft } from './storage/examples.js'

const capabilities = {
  search: capability(),
  pay: capability({ side_effect: { type: 'irreversible' }, cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 5 } } }),
} // prettier-ignore

it.each([
  ['search', 'service_unavailable', 0],
  ['pay', 'outcome_unknown', 1],
])('of %s, which the store could not take, is answered %s, and %i outcome waits', async (name, type, waiting) => {
  const { root, invoke, service, storage } = await startFixture({ capabilities })
  const { token } = await root()
  const { append } = storage.audit
  Object.assign(storage.audit, { append: () => Promise.reject(new StorageUnavailable('away')) })
  expect((await invoke(name, token)).body['failure']!['type']).toBe(type)
  Object.assign(storage.audit, { append })
  expect([service.unrecorded.length, service.alarms.all()]).toEqual([waiting, ['audit_unavailable']])
})

it('a key is free again where its call was refused beyond the rate of entries', async () => {
  const { root, invoke, storage, time } = await startFixture({ capabilities, limits: { refusalsPerMinute: 0 } })
  const { token } = await root({ budget: { currency: 'EUR', max_amount: 1 } })
  const refused = await invoke('pay', token, { parameters: {} }, { 'idempotency-key': 'k' })
  expect(refused.body['failure']!['type']).toBe('rate_limited')
  const key = { subject: 'human:ana', capability: 'pay', key: 'human:ana k' } as const
  expect(await storage.idempotency.start(key, 'd', 'inv-1', time.now + 1)).toEqual({ state: 'started' })
})

it('a failure whose text a handler cut in the middle of a character is recorded, and answered, without the half', async () => {
  const pay = (_: object, { fail }: HandlerContext) => fail('not_found', 'No hotel is called 🦊.'.slice(0, 20))
  const { root, invoke, service, trail } = await startFixture({ capabilities, handlers: { pay } })
  const { token } = await root()
  expect((await invoke('pay', token)).body['failure']).toMatchObject({ type: 'not_found', detail: 'No hotel is called \ufffd' })
  expect((await trail(token))[0]).toMatchObject({ failure_type: 'not_found', detail: 'No hotel is called \ufffd' })
  expect(service.unrecorded).toEqual([])
}) // prettier-ignore

it('a handler that fails without a detail has failed for a reason of its own', async () => {
  const pay = (_: object, { fail }: { fail: (type: string) => never }) => fail('not_found')
  const { root, invoke, logged } = await startFixture({ capabilities, handlers: { pay } })
  const { token } = await root()
  expect((await invoke('pay', token)).body['failure']!['type']).toBe('outcome_unknown')
  expect(logged.join()).toContain('The handler of pay failed without a detail')
})

it('what cannot be written down as it is, is recorded without its texts, and keeps nothing that waits behind it', async () => {
  const { service, storage, logged } = await startFixture({ capabilities })
  const before = await storage.audit.size()
  service.unrecorded.push({ draft: draft({ parameters: { hotel: '\ud83d' }, invocation_id: 'inv-1' }) }, { draft: draft({ detail: 'Two.' }) })
  service.alarms.add('audit_unavailable')
  await recordUnrecorded(service)
  const entries = (await storage.audit.texts(before + 1, 9)).map(({ text }) => JSON.parse(text!) as object)
  expect(entries).toMatchObject([{ invocation_id: 'inv-1', parameters: {}, detail: 'Its texts cannot be written down: one holds half of a surrogate pair.' }, { detail: 'Two.' }])
  expect([service.unrecorded, service.alarms.all()]).toEqual([[], []])
  expect(logged.join()).toContain('An entry cannot be written down with its texts, and is recorded without them. {"invocation_id":"inv-1"')
}) // prettier-ignore

it('what a damaged database does not take waits until it is mended', async () => {
  const { service, storage } = await startFixture({ capabilities })
  const before = await storage.audit.size()
  const { append } = storage.audit
  Object.assign(storage.audit, { append: () => Promise.reject(new DamagedRow('The stored column size has an unexpected type.')) })
  service.unrecorded.push({ draft: draft({ invocation_id: 'inv-1' }) })
  service.alarms.add('audit_unavailable')
  await expect(recordUnrecorded(service)).rejects.toThrow('The stored column size')
  expect([service.unrecorded.length, service.alarms.all()]).toEqual([1, ['audit_unavailable']])
  Object.assign(storage.audit, { append })
  await recordUnrecorded(service)
  expect([await storage.audit.size(), service.alarms.all()]).toEqual([before + 1, []])
}) // prettier-ignore

it('what a resolver cuts in the middle of a character reaches the handler, and the trail, without the half', async () => {
  const seen: unknown[] = []
  const { root, invoke, trail } = await startFixture({
    capabilities: { search: capability({ inputs: [input('to', { resolution: { mode: 'backend_resolved', resolver_ref: 'cut' } })], side_effect: { type: 'write' }, observability: { fields_logged: ['to'] } }) },
    implementation: { resolvers: { cut: ({ value }: { value: string }) => ({ value: value.slice(0, 4) }) } as never },
    handlers: { search: (given: object) => (seen.push(given), {}) },
  })
  const { token } = await root()
  expect((await invoke('search', token, { parameters: { to: 'abc🦊' } })).status).toBe(200)
  expect([seen, (await trail(token))[0]!['parameters']]).toEqual([[{ to: 'abc\ufffd' }], { to: 'abc\ufffd' }])
}) // prettier-ignore

it('what waits is recorded in its order, from the first for which the store is back', async () => {
  const { service, storage } = await startFixture({ capabilities })
  const before = await storage.audit.size()
  const { append } = storage.audit
  const details = ['One.', 'Two.', 'Three.']
  let times = 0
  const away: typeof append = async (take, seal) => {
    if (++times !== 2 && times !== 3) return append(take, seal)
    take()
    throw new StorageUnavailable('away')
  }
  Object.assign(storage.audit, { append: away })
  const recording = recordOrWait(service, details.map((detail) => draft({ detail })))
  await expect(recording).rejects.toThrow('away')
  expect([service.unrecorded.length, service.alarms.all()]).toEqual([2, ['audit_unavailable']])
  await expect(recordUnrecorded(service)).rejects.toThrow('away')
  expect(service.unrecorded.length).toBe(2)
  await recordUnrecorded(service)
  const texts = await storage.audit.texts(before + 1, 9)
  expect(texts.map(({ text }) => (JSON.parse(text!) as { detail: string }).detail)).toEqual(details)
}) // prettier-ignore
