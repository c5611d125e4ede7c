import { existsSync } from 'node:fs'
import { mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startRecorder } from '../../../src/runtime/audit/recorder.js'
import type { Storage } from '../../../src/runtime/storage/contract.js'
import { openPostgres } from '../../../src/runtime/storage/postgres/index.js'
import { backupSqlite, openSqlite } from '../../../src/runtime/storage/sqlite/index.js'
import { atMost, decision, draft, grantFor, request, token } from './examples.js'
import { startPostgres } from './postgres-server.js'

/** A store with a spent grant, a revoked token, and entries. Gives the id of the grant. */
async function fill(storage: Storage): Promise<string> {
  const asked = await request(storage, 'ana', 3_600_000)
  await storage.approvals.open(asked, atMost(5))
  const grant = await grantFor(storage, asked, 3_600_000)
  await storage.approvals.approve(grant, decision)
  await storage.approvals.spend(grant.grant_id, 'inv-000000000001')
  await storage.tokens.insert(token('tok_revoked'))
  await storage.tokens.revoke('tok_revoked', 7)
  const recorder = startRecorder({ storage })
  await Promise.all(Array.from({ length: 20 }, () => recorder.record({ draft: draft() })))
  return grant.grant_id
}

/** What was used stays used, what was revoked stays revoked, and the trail goes on where it was. */
async function expectRestored(storage: Storage, grantId: string): Promise<void> {
  expect(await storage.approvals.spend(grantId, 'inv-000000000001')).toBe(false)
  expect((await storage.tokens.chain('tok_revoked'))?.[0].revoked_at).toBe(7)
  const next = await startRecorder({ storage }).record({ draft: draft() })
  const size = next!.entry.sequence
  expect(size).toBeGreaterThan(20)
  const texts = await storage.audit.texts(1, 10_000)
  expect(texts.map(({ sequence }) => sequence)).toEqual(Array.from({ length: size }, (_, index) => index + 1))
}

describe('a backup', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-backup-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('is durable before it has its name', async () => {
    const file = join(folder, 'service.db')
    await (await openSqlite({ file })).close()
    const probe = await open(file)
    const handles = Object.getPrototypeOf(probe) as typeof probe
    await probe.close()
    const seen: boolean[] = []
    const { sync } = handles
    const synced = vi.spyOn(handles, 'sync').mockImplementation(function (this: typeof probe) {
      seen.push(existsSync(join(folder, 'copy.db')))
      return sync.call(this)
    })
    await backupSqlite({ file, to: join(folder, 'copy.db') })
    synced.mockRestore()
    expect([seen, existsSync(join(folder, 'copy.db'))]).toEqual([[false], true])
  })

  it('is readable by its owner only, whatever the umask', async () => {
    const file = join(folder, 'service.db')
    await (await openSqlite({ file })).close()
    await backupSqlite({ file, to: join(folder, 'copy.db') })
    expect((await stat(join(folder, 'copy.db'))).mode & 0o777).toBe(0o600)
  })

  it('that fails leaves nothing behind, and one that is being written is left alone', async () => {
    const [file, to] = [join(folder, 'service.db'), join(folder, 'copy.db')]
    await writeFile(file, 'no database '.repeat(100))
    await expect(backupSqlite({ file, to })).rejects.toThrow('could not be copied')
    expect(await readdir(folder)).toEqual(['service.db'])
    await writeFile(`${to}.partial`, 'another backup')
    await expect(backupSqlite({ file, to })).rejects.toThrow('EEXIST')
    expect(await readFile(`${to}.partial`, 'utf8')).toBe('another backup')
  })

  it('of SQLite, taken while entries are written, is a sound store', async () => {
    const file = join(folder, 'service.db')
    const storage = await openSqlite({ file })
    const grantId = await fill(storage)
    const recorder = startRecorder({ storage })
    const writing = Promise.all(Array.from({ length: 200 }, () => recorder.record({ draft: draft() })))
    await backupSqlite({ file, to: join(folder, 'backup.db') })
    await writing
    await storage.close()
    const restored = await openSqlite({ file: join(folder, 'backup.db') })
    await expectRestored(restored, grantId)
    await restored.close()
  })

  it('of SQLite overwrites nothing, and copies nothing that is not there', async () => {
    const file = join(folder, 'service.db')
    await (await openSqlite({ file })).close()
    await expect(backupSqlite({ file, to: file })).rejects.toThrow('a backup overwrites nothing')
    await expect(backupSqlite({ file: join(folder, 'none.db'), to: file })).rejects.toThrow('There is no database')
    expect(existsSync(join(folder, 'none.db'))).toBe(false)
  })

  it('of PostgreSQL is a sound store', async () => {
    const server = await startPostgres(['fsync=off'])
    const connectionString = await server.database('original')
    const storage = await openPostgres({ connectionString, schema: 'migrate' })
    const grantId = await fill(storage)
    await storage.close()
    const restoredTo = await server.copy('original', 'restored')
    const restored = await openPostgres({ connectionString: restoredTo })
    await expectRestored(restored, grantId)
    await restored.close()
    await server.stop()
  }, 60_000)
})
