/** Calls whose outcome the store could not take: what is recorded later, and what a key is good for meanwhile (section 6). */
import { expect, it } from 'vitest'
import { StorageUnavailable } from '../../src/runtime/storage/contract.js'
import { capability } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'

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
