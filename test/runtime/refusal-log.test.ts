import { expect, it } from 'vitest'
import type { Log } from '../../src/runtime/index.js'
import { StorageUnavailable } from '../../src/runtime/storage/contract.js'
import { startFixture } from './fixture/service.js'

it('a refusal is logged with who it was, as far as that is known; of many alike five, and the others are counted', async () => {
  const lines: (readonly [string, unknown])[] = []
  const note = (message: string, fields?: unknown) => void lines.push([message, fields])
  const log: Log = { debug: note, info: note, warn: note, error: note }
  const { call, root, invoke, service } = await startFixture({ log })
  for (let times = 0; times < 100; times++)
    await call('POST', '/svc/tokens', { bearer: 'wrong-key', body: { scope: ['travel.search'] }, client: '203.0.113.7' })
  const refused = { operation: 'tokens', failure_type: 'authentication_required', client: '203.0.113.7' }
  expect(lines.filter(([, fields]) => (fields as typeof refused).failure_type === refused.failure_type)).toEqual(
    Array.from({ length: 5 }, () => ['A request was refused.', refused]),
  )
  expect(service.refusalCounter.take()).toMatchObject({ 'tokens authentication_required': 60 })
  const { token, token_id } = await root()
  await invoke('search', token, { unknown: 1 })
  expect(lines.at(-1)).toEqual([
    'A request was refused.',
    { operation: 'invoke', failure_type: 'invalid_parameters', client: '', principal: 'human:ana', token_id },
  ])
  expect(JSON.stringify(lines)).not.toContain('wrong-key')
}) // prettier-ignore

it('a store that is not available is logged in its own words, which no caller reads', async () => {
  const { call, service, logged } = await startFixture()
  const words = 'PostgreSQL could not answer: too many connections for role "shop"'
  Object.assign(service.storage.checkpoints, { list: () => Promise.reject(new StorageUnavailable(words)) })
  const { status, body } = await call('GET', '/svc/checkpoints')
  expect([status, JSON.stringify(body).includes('shop')]).toEqual([503, false])
  expect(logged.at(-1)).toContain(`"failure_type":"service_unavailable","reason":${JSON.stringify(words)}`)
})
