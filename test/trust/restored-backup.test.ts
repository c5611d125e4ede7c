import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeCheckpoint } from '../../src/runtime/checkpoints/make.js'
import { checkpointMemory } from '../../src/runtime/checkpoints/memory.js'
import { healthTeller } from '../../src/runtime/lifecycle/anchoring.js'
import { readKeyRing } from '../../src/runtime/keys/key-directory.js'
import { maintain } from '../../src/runtime/lifecycle/maintenance.js'
import { backupSqlite, openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { startFixture } from '../runtime/fixture/service.js'
import { svc } from './command.js'
import { startTrail } from './trail.js'

let folder = ''
const path = (name: string) => join(folder, name)
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-restore-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

let ids = 0
const open = async (file: string) => {
  const trail = await startTrail(path(file))
  return {
    ...trail,
    dependencies: { ...trail.dependencies, newId: () => `ckp_${++ids}`, memory: checkpointMemory(path('keys')) },
  }
}

it('C04, R22: a restored backup is not signed on, until an operator says why', async () => {
  const before = await open('trail.db')
  await before.append(1, 3)
  expect((await makeCheckpoint(before.dependencies)).made?.sequence).toBe(1)
  await before.storage.close()
  copyFileSync(path('trail.db'), path('backup.db'))
  const after = await open('trail.db')
  await after.append(4, 6)
  expect((await makeCheckpoint(after.dependencies)).made?.sequence).toBe(2)
  await after.storage.close()

  const restored = await open('backup.db')
  await restored.append(7, 9)
  expect(await makeCheckpoint(restored.dependencies)).toEqual({ refused: 'checkpoint_missing' })
  expect((await svc('audit', 'resume', '--keys', path('keys'))).err).toContain("required option '--reason <text>'")
  expect(await svc('audit', 'resume', '--keys', path('keys'), '--reason', 'disk lost')).toMatchObject({ code: 0 })
  expect((await makeCheckpoint(restored.dependencies)).made?.sequence).toBe(2)
  const abandoned = readdirSync(path('keys/checkpoints')).find((name) => name.endsWith('.abandoned.json'))
  const kept = path(`keys/checkpoints/${abandoned}`)
  expect(statSync(kept).mode & 0o777).toBe(0o600)
  expect(JSON.parse(readFileSync(kept, 'utf8'))).toMatchObject({ reason: 'disk lost', checkpoint: { sequence: 2 } })
  await restored.storage.close()
})

it.each([
  ['without a checkpoint of its own', 0, 'checkpoint_missing'],
  ['with another checkpoint of the same number', 1, 'log_differs'],
  ['with more checkpoints than were signed elsewhere', 3, 'log_differs'],
] as const)('N24: a stale primary that returns %s is a fork: it is named, and not signed', async (_, signed, named) => {
  const primary = await open('primary.db')
  await primary.append(1, 3)
  expect((await makeCheckpoint(primary.dependencies)).made?.sequence).toBe(1)
  await primary.storage.close()
  copyFileSync(path('primary.db'), path('standby.db'))
  const promoted = await open('standby.db')
  await promoted.append(14, 16)
  expect((await makeCheckpoint(promoted.dependencies)).made?.sequence).toBe(2)
  await promoted.storage.close()

  const stale = await open('primary.db')
  // Signed for by a replica that was cut off with it, and remembers what it signed itself.
  const elsewhere = { ...stale.dependencies, memory: checkpointMemory(path('elsewhere')) }
  for (let made = 0; made < Math.max(signed, 1); made++) {
    await stale.append(4 + made * 3, 6 + made * 3)
    if (signed > 0) expect((await makeCheckpoint(elsewhere)).made?.sequence).toBe(2 + made)
  }
  const { refused } = await makeCheckpoint(stale.dependencies)
  expect(refused).toBe(named)
  const { service, logged } = await startFixture()
  healthTeller(service)(refused!)
  expect(service.alarms.all()).toEqual(['log_discontinuity'])
  expect(logged.join()).toContain(signed > 0 ? 'The trail is not the one that was signed.' : 'A newer one was signed than is stored.') // prettier-ignore
  await stale.storage.close()
})

it('another database is another log', async () => {
  const one = await open('one.db')
  await one.append(1, 3)
  expect((await makeCheckpoint(one.dependencies)).made?.sequence).toBe(1)
  const other = await open('other.db')
  await other.append(2, 2)
  expect((await makeCheckpoint(other.dependencies)).made?.sequence).toBe(1)
})

it('there is nothing to resume when nothing is remembered', async () => {
  expect(await svc('audit', 'resume', '--keys', path('keys'), '--reason', 'x')).toMatchObject({
    code: 2,
    err: expect.stringContaining('remembers no checkpoint'),
  })
})

it('a memory that cannot be written is an alarm; another folder for it is none', async () => {
  // A file stands where the folder would be: also root cannot write below it.
  writeFileSync(path('file'), '')
  const trust = { trust: { level: 'anchored', anchoring: { cadence: 'hourly' } } } as const
  const lost = await startFixture({ manifest: trust, stateDir: path('file') })
  await maintain(lost.service)()
  await expect.poll(() => lost.service.alarms.all()).toContain('rollback_detection_off')
  expect(lost.logged.join()).toContain('Name a folder that this process may write: SVC_STATE_DIR')
  const kept = await startFixture({ manifest: trust, stateDir: path('state') })
  await kept.root()
  await maintain(kept.service)()
  expect(kept.service.alarms.all()).toEqual([])
  expect(readdirSync(path('state/checkpoints')).filter((name) => name.endsWith('.json'))).toHaveLength(1)
})

it('an empty database beside a memory of checkpoints is named, until it has a checkpoint of its own', async () => {
  const trust = { trust: { level: 'anchored', anchoring: { cadence: 'hourly' } } } as const
  const start = async (file: string) => {
    const fixture = await startFixture({ manifest: trust, stateDir: path('state'), file: path(file) })
    const stop = maintain(fixture.service)
    await fixture.root()
    return { ...fixture, stop }
  }
  const first = await start('first.db')
  await first.stop()
  expect(first.service.alarms.all()).toEqual([])
  const empty = await start('empty.db')
  await expect.poll(() => empty.service.alarms.all()).toEqual(['database_new'])
  expect(empty.logged.join()).toContain('restore all of it')
  await empty.stop()
  const again = await start('empty.db')
  await again.stop()
  expect(again.service.alarms.all()).toEqual([])
})

/** The commands that the restore page gives, in its order. */
const runbook = (): readonly (readonly string[])[] => {
  const page = readFileSync('docs/guides/backup.md', 'utf8').split('## Open a restored service')[1]!.split('\n## ')[0]!
  return [...page.matchAll(/^ *\$ npx svc (.+)$/gmu)].map(([, line]) => line!.split(' '))
}

it('the restore page ends every token that was issued before, whatever key signed it', async () => {
  const keys = path('keys')
  const rotate = () => svc('keys', 'rotate', '--dir', keys, '--role', 'tokens', '--lead', 'PT0S')
  const start = async () =>
    startFixture({ keys: await readKeyRing(keys), storage: await openSqlite({ file: path('s.db') }), clock: Date.now })
  const tokens: string[] = []
  await svc('keys', 'generate', '--dir', keys)
  for (const _ of ['first key', 'second key', 'third key']) {
    const { root, storage } = await start()
    tokens.push((await root()).token)
    await storage.close()
    await rotate()
  }
  await backupSqlite({ file: path('s.db'), to: path('backup.db') })
  rmSync(path('s.db'))
  copyFileSync(path('backup.db'), path('s.db'))
  const statuses = async () => {
    const { invoke, storage } = await start()
    const replies = await Promise.all(tokens.map((token) => invoke('search', token)))
    await storage.close()
    return replies.map(({ status }) => status)
  }
  expect(await statuses()).toEqual([200, 200, 200])
  const ran = []
  for (const args of runbook()) ran.push(await svc(...args, '--dir', keys))
  expect(ran.map(({ code }) => code)).toEqual([0, 0])
  expect(ran[0]!.err.match(/ verifies .+/gu)).toEqual([' verifies no longer', ' verifies no longer', ' verifies no longer', ' verifies no longer']) // prettier-ignore
  expect(ran[1]!.out.match(/ (active|verified|verifies) /gu)?.toSorted()).toEqual([' active ', ' verified ', ' verified ', ' verified ', ' verified ']) // prettier-ignore
  expect(await statuses()).toEqual([401, 401, 401])
})
