/** An entry that no service wrote does not keep a service from putting back what was taken away (N31). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { startFixture } from '../runtime/fixture/service.js'

const folder = mkdtempSync(join(tmpdir(), 'svc-unreadable-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let made = 0

const NOW = Date.parse('2026-03-01T12:00:00.000Z')

it.each([
  '{"entry_type":"token_revoked"',
  '"entry_type":"token_revoked"',
  '["entry_type","token_revoked",{"entry_type":"token_revoked"}]',
  '{"entry_type":"token_revoked","entry_type":"token_revoked"}',
  '{"entry_type":"operator_action","operated":null,"name":"tokens_revoked"}',
])('an entry altered to %s: the block that was deleted counts', async (text) => {
  const file = join(folder, `${++made}.db`)
  const start = async () => {
    const storage = await openSqlite({ file, clock: () => NOW })
    return { ...(await startFixture({ storage })), close: () => storage.close() }
  }
  const first = await start()
  await first.root()
  await first.post('/-/tokens/revoke', 'op-key', { principal: 'human:eve', reason: 'left' })
  await first.service.close()
  await first.close()
  const driver = new Database(file)
  driver.exec('drop trigger audit_entries_are_fixed')
  driver.prepare('update audit_entries set text = ? where sequence = 1').run(text)
  driver.exec('delete from blocks')
  driver.close()
  const second = await start()
  onTestFinished(() => second.close())
  expect((await second.post('/svc/tokens', 'eve-key', { scope: ['travel.search'] })).status).toBe(403)
  expect((await second.call('GET', '/-/ready')).body['alarms']).toContain('rows_altered')
})
