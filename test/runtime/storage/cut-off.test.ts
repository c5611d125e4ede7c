/** Replicas on one PostgreSQL, of which one loses the line to it (threat N24). */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { sealEntry } from '../../../src/runtime/storage/seal.js'
import { startRecorder } from '../../../src/runtime/audit/recorder.js'
import { maintain } from '../../../src/runtime/lifecycle/maintenance.js'
import type { Storage } from '../../../src/runtime/storage/contract.js'
import { openPostgres } from '../../../src/runtime/storage/postgres/index.js'
import { startFixture } from '../fixture/service.js'
import { startCuttingProxy, type CuttingProxy } from './cutting-proxy.js'
import { draft, token } from './examples.js'
import { startPostgres, type PostgresServer } from './postgres-server.js'

describe('a replica that loses the line to its database', () => {
  let server: PostgresServer
  let proxy: CuttingProxy
  let cutOff: Storage
  let sibling: Storage
  let made = 0
  beforeAll(async () => {
    server = await startPostgres(['fsync=off'])
  }, 60_000)
  afterAll(() => server.stop())
  beforeEach(async () => {
    const url = await server.database(`cuts_${++made}`)
    proxy = await startCuttingProxy(server.port)
    sibling = await openPostgres({ connectionString: url, schema: 'migrate' })
    cutOff = await openPostgres({ connectionString: url.replace(`:${server.port}/`, `:${proxy.port}/`) })
  })
  afterEach(async () => {
    proxy.join()
    await Promise.all([cutOff.close(), sibling.close()])
    proxy.close()
  })

  it('N24: while it holds the head of the log, lets the others wait for 2 s at most', async () => {
    await startRecorder({ storage: cutOff }).record({ draft: draft() })
    let isCut = false
    const cut = cutOff.audit.append(() => {
      proxy.cut()
      isCut = true
      return [{ draft: draft() }]
    }, sealEntry)
    const failed = expect(cut).rejects.toThrow('PostgreSQL could not answer')
    await vi.waitUntil(() => isCut)
    const began = performance.now()
    const sealed = await startRecorder({ storage: sibling }).record({ draft: draft() })
    expect(performance.now() - began).toBeLessThan(2_000)
    expect(sealed?.entry.sequence).toBe(2)
    proxy.join()
    await failed
    expect((await startRecorder({ storage: cutOff }).record({ draft: draft() }))?.entry.sequence).toBe(3)
  })

  it('says within 2 s that it is not ready, and within 2 s that it is again', async () => {
    const { service, call } = await startFixture({ storage: cutOff, clock: Date.now })
    const rest = maintain(service)
    const status = async () => (await call('GET', '/-/ready')).status
    expect(await status()).toBe(200)
    proxy.cut()
    for (let asked = 0; asked < 3; asked++) {
      const began = performance.now()
      expect(await status()).toBe(503)
      expect(performance.now() - began).toBeLessThan(2_000)
    }
    proxy.join()
    await vi.waitFor(async () => expect(await status()).toBe(200), { timeout: 2_000, interval: 50 })
    await rest()
  }, 20_000)

  it('reads by key on a new line when the old one stays silent', async () => {
    await sibling.tokens.insert(token('tok_1'))
    expect(await cutOff.tokens.chain('tok_1')).toHaveLength(1)
    proxy.cut()
    const began = performance.now()
    await expect(cutOff.tokens.chain('tok_1')).rejects.toThrow('Query read timeout')
    expect(performance.now() - began).toBeLessThan(6_000)
    proxy.join()
    expect(await cutOff.tokens.chain('tok_1')).toHaveLength(1)
  }, 20_000)
})
