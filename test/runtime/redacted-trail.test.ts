import { expect, it, vi } from 'vitest'
import Database from 'libsql'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatHash } from '../../src/crypto/json/digest.js'
import { capability } from './fixture/manifest.js'
import { startCheckpoints } from '../../src/runtime/checkpoints/schedule.js'
import { healthTeller } from '../../src/runtime/lifecycle/anchoring.js'
import { KEYS, startFixture, type Given } from './fixture/service.js'

const LONG = 'x'.repeat(300)
const failing: Given = {
  capabilities: { search: capability({ extensions: { 'x-failures': { sold_out: 'None is left.' } } }) },
  handlers: { search: (_, context: { fail(type: string, detail: string): never }) => context.fail('sold_out', LONG) },
  manifest: { metadata_disclosure: { caller_class: { internal: 'full', partner: 'reduced', default: 'redacted' }, failure_detail: 'policy' } },
} // prettier-ignore

it('answers the text of an entry as the class of the caller may read it, and keeps it', async () => {
  const { root, invoke, trail, storage } = await startFixture(failing)
  const as = async (caller_class?: string) => (await root({ ...(caller_class && { caller_class }) })).token
  await invoke('search', await as('internal'))
  const [leaf] = await storage.audit.nodes([{ level: 0, index: (await storage.audit.query({ limit: 1, capability: 'search' }))[0]!.sequence - 1 }])
  const read = async (caller_class?: string) => (await trail(await as(caller_class), '?capability=search'))[0]
  const full = await read('internal')
  expect(full).toMatchObject({ detail: LONG, failure_type: 'sold_out' })
  expect(full).not.toHaveProperty('redacted')
  const withheld = { redacted: true, leaf_hash: formatHash(leaf!), failure_type: 'sold_out' }
  expect(await read('partner')).toMatchObject({ ...withheld, detail: `${'x'.repeat(199)}…` })
  expect(await read()).toMatchObject({ ...withheld, detail: 'The capability could not do what was asked.' })
  expect((await storage.audit.query({ limit: 1, capability: 'search' }))[0]!.detail).toBe(LONG)
}) // prettier-ignore

it.each([
  ['text that was edited', `update audit_entries set text = replace(text, 'human:ana', 'human:eve') where sequence = 2`, 'human:ana'],
  ['text whose principal stayed', `update audit_entries set text = replace(text, 'search', 'searches') where sequence = 2`, 'human:ana'],
  ['an entry in the place of another', `update audit_entries set text = (select text from audit_entries where sequence = 1), hashes = (select hashes from audit_entries where sequence = 1) where sequence = 2`, 'human:ana'],
  ['an entry that was moved to another principal', `update audit_index set root_principal = 'human:eve' where sequence = 2`, 'human:eve'],
])('N07, L2: answers %s to nobody, and health says so', async (_, sql, reader) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-altered-'))
  const file = join(folder, 'service.db')
  const { issued, root, invoke, post, service } = await startFixture({ file })
  await invoke('search', (await root()).token)
  const driver = new Database(file)
  driver.exec('drop trigger audit_entries_are_fixed; drop trigger audit_index_is_fixed')
  driver.exec(sql)
  driver.close()
  const credential = reader === 'human:ana' ? 'ana-key' : 'eve-key'
  const { token } = await issued(credential, { scope: ['travel.search'] })
  expect((await post('/svc/audit', token)).status).toBe(500)
  expect(service.alarms.all()).toContain('trail_altered')
  rmSync(folder, { recursive: true })
}) // prettier-ignore

it('N07, L2: entries that were hidden from queries are noticed when a checkpoint is made', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-hidden-'))
  const file = join(folder, 'service.db')
  const { root, invoke, service, storage } = await startFixture({ file })
  await invoke('search', (await root()).token)
  const told: string[] = []
  const start = () =>
    startCheckpoints({
      storage, owner: 'p', clock: Date.now, cadenceMs: 10, pollMs: 10, newId: () => `ckp_${told.length}`,
      signer: () => KEYS.keys[2]!.signer!, keys: () => [KEYS.keys[2]!], onHealth: (health) => void told.push(health),
    }) // prettier-ignore
  const first = start()
  await vi.waitFor(() => expect(told).toContain('ok'))
  await first.stop()
  const driver = new Database(file)
  driver.exec('drop trigger audit_index_is_kept; delete from audit_index where sequence = 2')
  driver.close()
  await invoke('search', (await root()).token)
  const second = start()
  await vi.waitFor(() => expect(told.at(-1)).toBe('entries_hidden'))
  await second.stop()
  healthTeller(service)('entries_hidden')
  expect(service.alarms.all()).toContain('trail_altered')
  rmSync(folder, { recursive: true })
})
