/** Rows without a MAC are authenticated where the ring says so, whatever the database says of its age (N31). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { generateSecret, ringSecretsAt } from '../../src/crypto/keys/secret-key.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { KEYS, startFixture } from '../runtime/fixture/service.js'

const folder = mkdtempSync(join(tmpdir(), 'svc-before-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const NOW = Date.parse('2026-03-01T12:00:00.000Z')
const WEEK_MS = 7 * 24 * 3600_000
const withoutTriggers = ['audit_entries_are_fixed', 'audit_index_is_fixed', 'audit_entries_are_kept', 'audit_index_is_kept'].map((name) => `drop trigger ${name}`) // prettier-ignore

let made = 0

/** A service on a file, of which a writer changes something between two starts; gives what a row without a MAC is worth. */
async function forgedSecret(attack: readonly string[], earlierRowsUntil?: number) {
  const file = join(folder, `${++made}.db`)
  const secret = { ...generateSecret('rows', NOW - 1000), ...(earlierRowsUntil && { earlierRowsUntil }) }
  const keys = { ...KEYS, secrets: ringSecretsAt([secret], NOW) }
  const start = async () => {
    const storage = await openSqlite({ file, clock: () => NOW })
    return { ...(await startFixture({ storage, keys })), close: () => storage.close() }
  }
  const first = await start()
  await first.root()
  await first.service.close()
  await first.close()
  const driver = new Database(file)
  for (const sql of [
    ...withoutTriggers,
    ...attack,
    `insert into secrets (name, value, made_at) values ('shared', 'forged', 0)`,
  ])
    driver.exec(sql)
  driver.close()
  const second = await start()
  onTestFinished(() => second.close())
  return second.storage.secret('shared', 'own').catch(() => 'refused')
}

const OLDER = `update audit_entries set text = json_set(text, '$.timestamp', '2020-01-01T00:00:00.000Z') where sequence = 1`
const ERASED = 'update audit_entries set text = null where sequence = 1'

it.each([
  ['the first entry of the trail is erased', ERASED],
  ['the first entry of the trail is dated earlier', OLDER],
])('gives nothing to a row of a service that always had its rows key: %s', async (_, attack) => {
  expect(await forgedSecret([attack])).toBe('refused')
})

it('gives nothing to a row after the week in which a rows key authenticates what was before it', async () => {
  expect(await forgedSecret([OLDER], NOW)).toBe('refused')
})

it('authenticates a row of before within that week', async () => {
  expect(await forgedSecret([OLDER], NOW + WEEK_MS)).toBe('forged')
})
