import { describe, expect, it } from 'vitest'
import { startRecorder } from '../../../src/runtime/audit/recorder.js'
import { StorageUnavailable, type Settlement, type Storage } from '../../../src/runtime/storage/contract.js'
import { openSqlite } from '../../../src/runtime/storage/sqlite/index.js'
import { draft } from '../storage/examples.js'

/** The storage, with the size of each batch that was appended. */
function watched(storage: Storage): { readonly storage: Storage; readonly batches: number[] } {
  const batches: number[] = []
  const append: Storage['audit']['append'] = (take, seal) =>
    storage.audit.append(() => {
      const batch = take()
      batches.push(batch.length)
      return batch
    }, seal)
  return { storage: { ...storage, audit: { ...storage.audit, append } }, batches }
}

const failing = (storage: Storage, take: (batch: () => readonly Settlement[]) => void): Storage => ({
  ...storage,
  audit: {
    ...storage.audit,
    append: async (batch) => {
      take(batch)
      throw new StorageUnavailable('The disk is full.')
    },
  },
})

describe('the recorder', () => {
  it('commits together what arrives in one turn', async () => {
    const { storage, batches } = watched(await openSqlite({ file: ':memory:' }))
    const recorder = startRecorder({ storage })
    const sealed = await Promise.all(Array.from({ length: 20 }, () => recorder.record({ draft: draft() })))
    expect(sealed.map((each) => each?.entry.sequence)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
    expect(batches).toEqual([20])
  })

  it('is idle when all is durable', async () => {
    const storage = await openSqlite({ file: ':memory:' })
    const recorder = startRecorder({ storage })
    await recorder.idle()
    void recorder.record({ draft: draft() })
    await recorder.idle()
    expect(await storage.audit.size()).toBe(1)
  })

  it('tells everyone of a batch that failed, and nobody else', async () => {
    const storage = await openSqlite({ file: ':memory:' })
    const broken = startRecorder({ storage: failing(storage, (batch) => batch()) })
    const settled = await Promise.allSettled([broken.record({ draft: draft() }), broken.record({ draft: draft() })])
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await storage.audit.size()).toBe(0)
  })

  it('refuses what has no canonical form, and nothing that shares its commit', async () => {
    const storage = await openSqlite({ file: ':memory:' })
    const recorder = startRecorder({ storage })
    const details = ['One.', 'Half of one: \ud83d', 'Two.']
    const settled = await Promise.allSettled(details.map((detail) => recorder.record({ draft: draft({ detail }) })))
    expect(
      settled.map((each) => (each.status === 'fulfilled' ? each.value!.entry.detail : String(each.reason))),
    ).toEqual(['One.', 'TypeError: A text holds half of a surrogate pair.', 'Two.'])
    expect(await storage.audit.size()).toBe(2)
  })

  it('tells those who waited when the store failed before their turn', async () => {
    const storage = await openSqlite({ file: ':memory:' })
    const broken = startRecorder({ storage: failing(storage, () => undefined) })
    await expect(broken.record({ draft: draft() })).rejects.toBeInstanceOf(StorageUnavailable)
    await expect(broken.record({ draft: draft() })).rejects.toBeInstanceOf(StorageUnavailable)
  })
})
