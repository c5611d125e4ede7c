/** Owner and rights of a database, judged when a service opens it. */
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPostgres } from '../../../src/runtime/storage/postgres/index.js'
import { fileRemarks } from '../../../src/runtime/storage/sqlite/file-remarks.js'
import { openSqlite } from '../../../src/runtime/storage/sqlite/index.js'
import { capability } from '../fixture/manifest.js'
import { startFixture } from '../fixture/service.js'
import { runSql } from './run-sql.js'
import { startPostgres, type PostgresServer } from './postgres-server.js'

describe('the role of a service on PostgreSQL', () => {
  let server: PostgresServer
  let owner = ''
  let asServer = ''
  let made = 0
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    owner = await server.database(`rights_${(made += 1)}`)
    asServer = owner.replace('postgres@', 'svc_server@')
    await (await openPostgres({ connectionString: owner, schema: 'migrate' })).close()
    await runSql(owner, `do $$ begin create role svc_server login; exception when duplicate_object then end $$`)
    await runSql(owner, 'grant select, insert, update, delete on all tables in schema public to svc_server')
  })
  const opened = () =>
    openPostgres({ connectionString: asServer }).then(
      async (storage) => {
        await storage.close()
        return storage.remarks
      },
      (error: Error) => error.message,
    )
  const remedy = (role = 'svc_server'): string =>
    `Run as the owner of the tables: grant select, insert, update, delete on all tables in schema "public" to "${role}"; ` +
    `revoke delete, truncate on audit_entries, audit_index, checkpoints from "${role}";`

  it('serves with the rights of the guide, and without those to delete from the trail', async () => {
    expect(await opened()).toEqual([])
    await runSql(owner, 'revoke delete, truncate on audit_entries, audit_index, checkpoints from svc_server')
    expect(await opened()).toEqual([])
  })

  it.each([
    ['select', 'tokens'],
    ['insert', 'audit_entries'],
    ['update', 'checkpoints'],
    ['delete', 'leases'],
  ])('does not without the right to %s on %s', async (verb, table) => {
    await runSql(owner, `revoke ${verb} on ${table} from svc_server`)
    expect(await opened()).toBe(`The role "svc_server" has no right to ${verb} on ${table}. ${remedy()}`)
  })

  it('names all tables of the first right that it lacks, and none that is not of svc', async () => {
    await runSql(owner, 'create table others (a int)')
    await runSql(owner, 'revoke insert, delete on leases, tokens from svc_server')
    expect(await opened()).toBe(`The role "svc_server" has no right to insert on leases, tokens. ${remedy()}`)
  })

  it('does not without a schema that it may use', async () => {
    await runSql(owner, 'revoke usage on schema public from public, svc_server')
    expect(await opened()).toBe(
      'The role "svc_server" may use no schema of its search_path. Run as the owner of the database: grant usage on schema public to "svc_server";',
    )
  })

  it('is told of where it owns the tables, and the service says so when it starts', async () => {
    const storage = await openPostgres({ connectionString: owner })
    const { logged } = await startFixture({ storage, capabilities: { search: capability() } })
    await storage.close()
    const line =
      'The role "postgres" owns the tables of the database, or is a superuser: it can switch off what guards the audit trail. ' +
      'Serve with another role (docs/guides/storage.md).'
    expect([storage.remarks, logged.some((each) => each.startsWith(line))]).toEqual([[line], true])
  })
})

describe('a SQLite file', () => {
  let folder = ''
  let file = ''
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-rights-'))
    file = join(folder, 'a.db')
    await (await openSqlite({ file })).close()
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const open = `Others may read the database`

  it('is nobody else’s as svc makes it', async () => {
    expect(await fileRemarks(file)).toEqual([])
    expect([await fileRemarks(join(folder, 'none')), await fileRemarks(':memory:')]).toEqual([[], []])
  })

  it.each([0o640, 0o604, 0o620])('is told of where its mode is %o', async (mode) => {
    chmodSync(file, mode)
    const storage = await openSqlite({ file })
    await storage.close()
    expect(storage.remarks).toEqual([`${open} ${file} (mode 0${mode.toString(8)}). Run: chmod 600 ${file}`])
  })

  it('is told of where another user owns it, unless the service is root', async () => {
    if (process.getuid?.() === 0) chownSync(file, 4321, 4321)
    const owner = process.getuid?.() === 0 ? 4321 : process.getuid!()
    const said = `The database ${file} belongs to the user ${owner}, who can change what it says. This service is the user 1234.`
    expect([await fileRemarks(file, 1234), await fileRemarks(file, owner), await fileRemarks(file, 0)]).toEqual([[said], [], []]) // prettier-ignore
  })
})
