import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { sha256Hex } from '../../src/crypto/json/digest.js'
import { openSqlite, openSqliteSchema } from '../../src/runtime/storage/sqlite/index.js'
import { first } from '../../src/runtime/storage/sql/schema/001-first.js'
import { MIGRATIONS } from '../../src/runtime/storage/sql/schema/index.js'
import { statementsFor } from '../../src/runtime/storage/sql/schema/migration.js'
import { startPostgres, type PostgresServer } from '../runtime/storage/postgres-server.js'
import { connected, runSql } from '../runtime/storage/run-sql.js'
import { openDatabase } from '../../src/cli/audit/storage.js'
import { run } from '../../src/cli/main.js'

/** Runs `svc` and gives its exit code and what it printed. */
async function svc(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const printed = { out: '', err: '' }
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((printed.out += String(text)), true))
  const err = vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((printed.err += String(text)), true))
  try {
    return { code: await run(['node', 'svc', ...args]), ...printed }
  } finally {
    out.mockRestore()
    err.mockRestore()
    process.exitCode = 0
  }
}

/** A line for each migration from the given one on. */
const lines = (word: string, from = 0): string =>
  MIGRATIONS.slice(from)
    .map(({ version, name }) => `${word} ${String(version).padStart(3, '0')} ${name}\n`)
    .join('')

describe('svc migrate', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-migrate-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('rehearses, applies and shows migrations', async () => {
    const database = join(folder, 'service.db')
    expect(await svc('migrate', 'up', '--dry-run', '--database', database)).toMatchObject({
      code: 0,
      out: lines('would apply'),
    })
    expect(await readdir(folder)).toEqual([])
    await (await openSqliteSchema({ file: database })).close()
    expect(await svc('migrate', 'status', '--database', database)).toMatchObject({
      code: 1,
      out: lines('pending '),
    })
    expect(await svc('migrate', 'up', '--database', database)).toMatchObject({
      code: 0,
      out: lines('applied'),
    })
    const { code, out } = await svc('migrate', 'status', '--database', database, '--json')
    expect({ code, ...JSON.parse(out) }).toMatchObject({
      code: 0,
      pending: [],
      applied: MIGRATIONS.map(({ version, name }) => ({ version, name })),
    })
  })

  it('says whether the clock of a database is believed, and takes the word of its owner', async () => {
    const database = join(folder, 'service.db')
    const of = (...more: readonly string[]) => svc('migrate', 'clock', '--database', database, ...more)
    expect(await of()).toMatchObject({ code: 2, err: expect.stringContaining('There is no database') })
    await svc('migrate', 'up', '--database', database)
    expect(await of()).toMatchObject({ code: 0, out: expect.stringMatching(/^The clock of the database says \S+Z\. Nobody has vouched for it yet\.\n$/u) })
    const storage = await openSqlite({ file: database })
    await storage.clock.doubt({ vouched: Date.now() - 5 * 3600_000, waited: 2 * 3600_000 })
    await storage.close()
    const doubted = await of()
    expect([doubted.code, doubted.out.replaceAll(/\d{4}-\S+Z/gu, 'T')]).toEqual([
      1,
      'The clock of the database says T.\nIt is doubted: it was ahead of T, the last time that was vouched for.\n' +
        'Nothing is swept or erased until the service has run for 1 h more; it did for 2 h.\n' +
        'If the clock is right: svc migrate clock --confirm\n',
    ])
    expect(await of('--confirm')).toMatchObject({ code: 0, out: expect.stringContaining('It was believed last at ') })
    expect(await of()).toMatchObject({ code: 0 })
    const later = await openSqlite({ file: database })
    await later.clock.confirm(Date.now() + 2 * 3600_000)
    await later.close()
    expect(await of()).toMatchObject({ code: 1, out: expect.stringContaining('It is behind ') })
  }) // prettier-ignore

  it('makes no database to show its status', async () => {
    const database = join(folder, 'none.db')
    expect(await svc('migrate', 'status', '--database', database)).toEqual({
      code: 2,
      out: '',
      err: `svc: There is no database ${database}. Make it with: svc migrate up --database ${database}\n`,
    })
  })

  it('asks which database', async () => {
    const { code, err } = await svc('migrate', 'up', '--database', '')
    expect({ code, err }).toEqual({
      code: 2,
      err: 'svc: Name the database: --database <file or postgresql:// address>, or set SVC_DATABASE.\n',
    })
  })

  it('says that a server cannot be reached, without its password', async () => {
    const { code, err } = await svc('migrate', 'up', '--database', 'postgresql://svc:secret@127.0.0.1:1/none')
    expect(code).toBe(2)
    expect(err).toContain('The database postgresql://127.0.0.1:1/none cannot be used.')
    expect(err).not.toContain('secret')
  })

  it.each([
    ['postgresql://svc:se@cret@127.0.0.1:1/none?password=secret', 'The database postgresql://127.0.0.1:1/none cannot be used. PostgreSQL could not answer: '],
    ['postgresql://svc:sec/ret@127.0.0.1:1/none', 'The address postgresql://… cannot be read. Escape what is special in it: '],
    ['host=127.0.0.1 user=svc password=secret', 'A database is a SQLite file or a postgresql:// address, not host=… pairs. Write it as postgresql://user:password@host:5432/name.\n'],
    ['postgress://svc:secret@host/none', 'A database is a SQLite file or a postgresql:// address; postgress:// is neither.\n'],
  ])('%s is no place', async (place, message) => {
    const { code, err } = await svc('migrate', 'up', '--database', place)
    expect([code, err.slice(0, 5 + message.length)]).toEqual([2, `svc: ${message}`])
    expect(err).not.toMatch(/cret|sec/u)
    await expect(openDatabase(place)).rejects.toThrow(message.trim())
  }) // prettier-ignore

  it('says once that a file is no database', async () => {
    const file = join(folder, 'text.db')
    await writeFile(
      file,
      'This is a text, and long enough to be looked at as a database would be by SQLite.'.repeat(99),
    )
    expect((await svc('migrate', 'status', '--database', file)).err.split('cannot be used')).toHaveLength(2)
  })
})

describe('svc migrate of a database of the previous schema', () => {
  let folder = ''
  let server: PostgresServer
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-migrate-'))
    server = await startPostgres(['fsync=off'])
  }, 60_000)
  afterAll(async () => {
    await server.stop()
    await rm(folder, { recursive: true })
  })

  const sqlite = async (): Promise<string> => {
    const file = join(folder, 'v1.db')
    await writeFile(file, gunzipSync(await readFile('test/runtime/storage/fixture/v1.db.gz')))
    return file
  }
  const postgres = async (): Promise<string> => {
    const connectionString = await server.database('v1')
    const client = new pg.Client({ connectionString })
    await client.connect()
    const statements = statementsFor(first, 'postgres')
    for (const sql of statements) await client.query(sql)
    await client.query(`insert into approval_requesters values ('agent:a', 'human:a', 3)`)
    await client.query('create table schema_migrations (version bigint primary key, name text not null, checksum text not null, applied_at bigint not null)') // prettier-ignore
    const checksum = sha256Hex(statements.join(';\n'))
    await client.query('insert into schema_migrations values (1, $1, $2, 0)', [first.name, checksum])
    await client.end()
    return connectionString
  }

  it.each([
    ['SQLite', sqlite],
    ['PostgreSQL', postgres],
  ] as const)('on %s says what is pending, rehearses it, and applies it once', async (_, make) => {
    const database = await make()
    const migrate = async (...args: readonly string[]) => {
      const { code, out } = await svc('migrate', ...args, '--database', database)
      return [code, out.replaceAll(/ {2}\d{4}-.*$/gmu, '')]
    }
    expect(await migrate('status')).toEqual([1, `applied  001 first\n${lines('pending ', 1)}`])
    expect(await migrate('up', '--dry-run')).toEqual([0, lines('would apply', 1)])
    expect(await migrate('status')).toEqual([1, `applied  001 first\n${lines('pending ', 1)}`])
    expect(await migrate('up')).toEqual([0, lines('applied', 1)])
    expect(await migrate('status')).toEqual([0, lines('applied ')])
    expect(await migrate('up')).toEqual([0, ''])
  })
})

describe('svc migrate partition', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(['fsync=off'])
  }, 60_000)
  afterAll(() => server.stop())

  it('makes partitions of a table whose schema is current, and lists them', async () => {
    const database = await server.database('partitioned')
    const partition = () => svc('migrate', 'partition', '--every', '5000', '--database', database)
    expect(await partition()).toMatchObject({ code: 2, err: expect.stringContaining('Run first: svc migrate up') })
    await svc('migrate', 'up', '--database', database)
    const { code, out } = await partition()
    expect(code).toBe(0)
    expect(out.split('\n').map((line) => line.replaceAll(/ +/gu, ' '))).toEqual([
      '1-5000 empty 0.0 MB audit_entries_from_1',
      '5001-10000 empty 0.0 MB audit_entries_from_5001',
      '10001- empty 0.0 MB audit_entries_from_10001',
      '',
    ])
    expect((await partition()).out).toBe(out)
    expect(await svc('migrate', 'status', '--database', database)).toMatchObject({ code: 0 })
  })

  it('names a partition that it did not make', async () => {
    const database = await server.database('stray')
    await svc('migrate', 'up', '--database', database)
    await svc('migrate', 'partition', '--database', database)
    await runSql(database, 'create table rest partition of audit_entries default')
    expect(await svc('migrate', 'partition', '--database', database)).toEqual({
      code: 2,
      out: '',
      err: 'svc: The partition rest (DEFAULT) was not made by svc migrate partition, which cannot go on beside it. Move it out of the way; where it holds no entry, run: alter table audit_entries detach partition rest\n',
    })
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('at %s takes back what is half done, and ends with %d', async (signal, code) => {
    const database = await server.database(signal.toLowerCase())
    await svc('migrate', 'up', '--database', database)
    const holder = await connected(database)
    await holder.query('begin; lock table audit_entries in access share mode')
    const ended = svc('migrate', 'partition', '--database', database)
    while ((await runSql(database, `select 1 from pg_stat_activity where application_name = 'svc migrate partition'`)).length === 0) await sleep(10)
    process.emit(signal, signal)
    expect(await ended).toEqual({ code, out: '', err: 'svc: It was interrupted.\n' })
    expect(process.listenerCount(signal)).toBe(0)
    await holder.end()
  }) // prettier-ignore

  it.each([
    [['--every', '10', '--database', 'postgresql://h/d'], 'A partition takes 1000 entries or more; "10" is no such number.'],
    [['--every', 'many', '--database', 'postgresql://h/d'], '"many" is no such number.'],
    [['--database', 'data/shop.db'], 'Only PostgreSQL has partitions'],
  ])('refuses %j', async (args, message) => {
    const { code, err } = await svc('migrate', 'partition', ...args)
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
  }) // prettier-ignore
})
