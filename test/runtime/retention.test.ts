import { expect, it } from 'vitest'
import { eraseExpired } from '../../src/runtime/retention.js'
import { capability } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'
import { draft } from './storage/examples.js'

it('retention erases all that is due, in as many batches as it takes, and nothing else', async () => {
  const capabilities = {
    search: capability({ observability: { logged: true, retention: 'P1D' } }),
    keep: capability(),
  }
  const { service, storage, time } = await startFixture({ capabilities })
  const record = (name: string, count: number): Promise<unknown> => {
    const timestamp = new Date(time.now).toISOString()
    return Promise.all(
      Array.from({ length: count }, () => service.record({ draft: draft({ capability: name, timestamp }) })),
    )
  }
  await record('search', 450)
  await record('keep', 3)
  time.now += 2 * 24 * 3_600_000
  await record('search', 2)
  expect(await eraseExpired(service)).toBe(450)
  expect(await eraseExpired(service)).toBe(0)
  const texts = await storage.audit.texts(1, 1000)
  expect(texts.map(({ text }) => text !== null)).toEqual([
    ...Array<boolean>(450).fill(false),
    ...Array<boolean>(5).fill(true),
  ])
})
