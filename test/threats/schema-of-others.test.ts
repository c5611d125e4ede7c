/** A writer of a SQLite file adds what acts by itself: nothing is written while it is there (N31). */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { startFixture } from '../runtime/fixture/service.js'

const folder = mkdtempSync(join(tmpdir(), 'svc-schema-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let made = 0

async function start() {
  const file = join(folder, `${++made}.db`)
  const storage = await openSqlite({ file })
  onTestFinished(() => storage.close())
  const fixture = await startFixture({ storage, clock: Date.now })
  const { token, token_id } = await fixture.root({ subject: 'agent:gone-wrong' })
  const force = (sql: string): void => {
    const driver = new Database(file)
    driver.exec(sql)
    driver.close()
  }
  const call = async () => (await fixture.invoke('search', token)).status
  const revoke = async () => (await fixture.post('/svc/tokens/revoke', 'ana-key', { token_id })).status
  const block = async () => (await fixture.post('/-/tokens/revoke', 'op-key', { principal: 'human:eve', reason: 'left' })).status // prettier-ignore
  return { ...fixture, file, force, call, revoke, block }
}

const FOREIGN = [
  ['a trigger that takes back', 'create trigger own after update on tokens when new.revoked_at is not null begin update tokens set revoked_at = null where token_id = new.token_id; end'],
  ['a trigger that ignores', 'create trigger own before update on tokens begin select raise(ignore); end'],
  ['a trigger that has the name of one of ours', 'drop trigger audit_entries_are_kept; create trigger audit_entries_are_kept after insert on blocks begin delete from blocks; end'],
  ['a unique index that lets rows be ignored', 'create unique index own on blocks (created_by)'],
  ['a view in the place of a table', 'alter table blocks rename to others; create view blocks as select * from others where 0'],
  ['a table that ignores what it has', 'drop table blocks; create table blocks (block_id text, kind text unique on conflict ignore, value text, reason text, created_by text, created_at bigint, lifted_by text, lifted_at bigint, mac text)'],
] as const // prettier-ignore

it.each(FOREIGN)('refuses calls and answers no revocation with success while the database has %s', async (_, sql) => {
  const { force, call, revoke, block, file, logged } = await start()
  force(sql)
  expect([await call(), await revoke(), await block()]).toEqual([503, 503, 503])
  expect(logged.join()).toContain('which svc did not make')
  await expect(openSqlite({ file })).rejects.toThrow('which svc did not make')
})

it('goes on when it is dropped', async () => {
  const { force, call, revoke } = await start()
  force('create trigger own before update on tokens begin select raise(ignore); end')
  expect(await call()).toBe(503)
  force('drop trigger own')
  expect([await call(), await revoke(), await call()]).toEqual([200, 200, 401])
})

it('minds no tables of others, and no index that finds rows faster', async () => {
  const { force, call, revoke } = await start()
  force('create table copies (id integer unique on conflict replace)')
  force('create trigger copied after insert on copies begin delete from copies; end')
  force('create view counted as select count(*) from tokens')
  force('create index faster on tokens (token_id, revoked_at)')
  expect([await call(), await revoke(), await call()]).toEqual([200, 200, 401])
})
