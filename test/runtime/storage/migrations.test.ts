import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sha256Hex } from '../../../src/crypto/json/digest.js'
import { erasureDraft } from '../../../src/crypto/trail/erasure.js'
import type { AuditEntry } from '../../../src/protocol/audit.js'
import { startRecorder } from '../../../src/runtime/audit/recorder.js'
import { sealEntry, sealFor } from '../../../src/runtime/storage/seal.js'
import { statementsFor } from '../../../src/runtime/storage/sql/schema/migration.js'
import { SchemaMismatch } from '../../../src/runtime/storage/sql/migrate.js'
import { MIGRATIONS } from '../../../src/runtime/storage/sql/schema/index.js'
import type { SchemaTool } from '../../../src/runtime/storage/sql/schema-tool.js'
import { openPostgres, openPostgresSchema } from '../../../src/runtime/storage/postgres/index.js'
import { openLibsql } from '../../../src/runtime/storage/sqlite/libsql.js'
import { openSqlite, openSqliteSchema } from '../../../src/runtime/storage/sqlite/index.js'
import type { ErasureAccount, Storage } from '../../../src/runtime/storage/contract.js'
import { draft, token } from './examples.js'
import { startPostgres, type PostgresServer } from './postgres-server.js'
import pg from 'pg'

const ALL = MIGRATIONS.map(({ version, name }) => ({ version, name }))

interface Database {
  schema(): Promise<SchemaTool>
  open(mode: 'verify' | 'migrate'): Promise<Storage>
  /** Runs a statement behind the back of the store, and gives its rows. */
  tamper(sql: string): Promise<readonly object[]>
}

/** Made before the first release, when nobody ran one version beside the next. */
const TAKE_AWAY = [3, 5]

/** Of its statements as SQLite and as PostgreSQL run them: a database that has one is never given it again. */
const DIGESTS: readonly (readonly [number, string])[] = [
  [1, 'c81e868657fd8daa'],
  [2, '883da10d14e40f7c'],
  [3, 'e3674f7ab8ae80a4'],
  [4, 'a2e281764ada7814'],
  [5, '42e1bf95a1b3861f'],
  [6, 'ae054586efbdbfa5'],
  [7, '8576958ffc40bf6a'],
  [8, 'a75b130c71324868'],
  [9, '3349eb5c1377a3a6'],
  [10, '549ab673186fdf63'],
  [11, 'c81770bd3204a956'],
  [12, '4680a0fa830cf814'],
  [13, '2572103435e9e707'],
  [14, '3e24aa99052a4116'],
  [15, '3d1a7de0f2cff0cd'],
  [16, '67033aa67bf7a8a1'],
  [17, '09a44d4b10cd2610'],
  [18, 'f85aeb0ace0a21f1'],
  [19, '54f5fec4f5737beb'],
  [20, '9f744fe390646bf4'],
]

it('never change once they are released', () => {
  const digest = (migration: (typeof MIGRATIONS)[number]) =>
    sha256Hex(
      JSON.stringify([
        statementsFor(migration, 'sqlite'),
        statementsFor(migration, 'postgres'),
        migration.readableFrom ?? null,
      ]),
    ).slice(0, 16)
  expect(MIGRATIONS.map((migration) => [migration.version, digest(migration)])).toEqual(DIGESTS)
})

it('only add: the version before goes on beside them, and what it uses is taken away a release later', () => {
  const taking = MIGRATIONS.filter((migration) =>
    [...statementsFor(migration, 'sqlite'), ...statementsFor(migration, 'postgres')].some(
      (sql) =>
        /\bdrop\b|\brename\b|\balter column\b|\btruncate\b/iu.test(sql) ||
        /\badd (?:column )?\w+ [^,]*\bnot null\b(?!.*\bdefault\b)/iu.test(sql),
    ),
  ).map(({ version }) => version)
  expect(taking).toEqual(TAKE_AWAY)
})

it('say from which version on they can be used: none that takes away, none before there was a place to say it', () => {
  for (const { version, readableFrom } of MIGRATIONS) {
    if (version < 14 || TAKE_AWAY.includes(version)) expect([version, readableFrom]).toEqual([version, undefined])
    else if (readableFrom !== undefined) expect(readableFrom).toSatisfy((from: number) => from >= 14 && from <= version)
  }
})

describe('migrations', () => {
  let folder = ''
  let server: PostgresServer
  let made = 0
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-migrations-'))
    server = await startPostgres(['fsync=off'])
  }, 60_000)
  afterAll(async () => {
    await server.stop()
    await rm(folder, { recursive: true })
  })

  const sqlite = async (): Promise<Database> => {
    const file = join(folder, `${++made}.db`)
    return {
      schema: () => openSqliteSchema({ file }),
      open: (schema) => openSqlite({ file, schema }),
      tamper: async (sql) => {
        const driver = openLibsql(file)
        try {
          const statement = driver.prepare(sql)
          if (sql.startsWith('select')) return statement.all([])
          statement.run([])
          return []
        } finally {
          driver.close()
        }
      },
    }
  }
  const postgres = async (): Promise<Database> => {
    const connectionString = await server.database(`migrations_${++made}`)
    return {
      schema: () => openPostgresSchema({ connectionString }),
      open: (schema) => openPostgres({ connectionString, schema }),
      tamper: async (sql) => {
        const client = new pg.Client({ connectionString })
        await client.connect()
        return (await client.query<object>(sql).finally(() => client.end())).rows
      },
    }
  }

  const using = async <T>(database: Database, use: (schema: SchemaTool) => Promise<T>): Promise<T> => {
    const schema = await database.schema()
    return use(schema).finally(() => schema.close())
  }

  describe.each([
    ['SQLite', sqlite],
    ['PostgreSQL', postgres],
  ] as const)('on %s', (name, create) => {
    it('are all pending in an empty database, and applied once', async () => {
      const database = await create()
      expect((await using(database, (schema) => schema.status())).pending).toEqual(ALL)
      expect(await using(database, (schema) => schema.up())).toEqual(ALL)
      expect(await using(database, (schema) => schema.up())).toEqual([])
      const { applied, pending } = await using(database, (schema) => schema.status())
      expect(applied.map(({ version, name }) => ({ version, name }))).toEqual(ALL)
      expect(pending).toEqual([])
    })

    it('can be rehearsed without a trace', async () => {
      const database = await create()
      expect(await using(database, (schema) => schema.rehearse())).toEqual(ALL)
      expect((await using(database, (schema) => schema.status())).pending).toEqual(ALL)
    })

    it('are applied once by many who start together', async () => {
      const database = await create()
      const stores = await Promise.all(Array.from({ length: 4 }, () => database.open('migrate')))
      await Promise.all(stores.map((storage) => storage.close()))
      expect((await using(database, (schema) => schema.status())).applied).toHaveLength(ALL.length)
    })

    it('are asked for by a store that may not migrate', async () => {
      const database = await create()
      await expect(database.open('verify')).rejects.toThrow(
        `lacks these migrations: ${ALL.map(({ version, name }) => `${version} (${name})`).join(', ')}. Apply them with: svc migrate up`,
      )
    })

    it('refuse a database of a newer version, and one whose history differs', async () => {
      const database = await create()
      await using(database, (schema) => schema.up())
      await database.tamper(`${LATER}) values (999, 'later', 'x', 0)`)
      for (const mode of ['migrate', 'verify'] as const)
        await expect(database.open(mode)).rejects.toThrow('migration 999 (later), made by a newer version, which no older version can use.') // prettier-ignore
      await database.tamper(`update schema_migrations set readable_from = 998 where version = 999`)
      await expect(database.open('migrate')).rejects.toThrow('which versions before migration 998 cannot use.')
      await database.tamper(`delete from schema_migrations where version = 999`)
      await database.tamper(`update schema_migrations set checksum = 'x' where version = 1`)
      await expect(database.open('migrate')).rejects.toBeInstanceOf(SchemaMismatch)
    })

    it('may be applied by the next version while a store of this one serves: what only adds disturbs nobody', async () => {
      const database = await create()
      const storage = await database.open('migrate')
      const record = () => startRecorder({ storage }).record({ draft: draft() })
      expect((await record())?.entry.sequence).toBe(1)
      await database.tamper('create table later (id bigint primary key)')
      await database.tamper('alter table tokens add column later text')
      await database.tamper('alter table event_deliveries add column later bigint')
      await database.tamper(`${LATER}) values (999, 'later', 'x', 0)`)
      await storage.tokens.insert(token('tok_1'))
      expect(await storage.tokens.chain('tok_1')).toHaveLength(1)
      expect((await record())?.entry.sequence).toBe(2)
      expect(await storage.audit.size()).toBe(2)
      await storage.close()
    })

    it('of a newer version are no obstacle where it says so: a release is taken back, and the older version goes on', async () => {
      const database = await create()
      await (await database.open('migrate')).close()
      await database.tamper('create table later (id bigint primary key)')
      await database.tamper('alter table tokens add column later text')
      await database.tamper(`${LATER}, readable_from) values (999, 'later', 'x', 0, ${MIGRATIONS.at(-1)!.version})`)
      for (const mode of ['migrate', 'verify'] as const) {
        const storage = await database.open(mode)
        await storage.tokens.insert(token(`tok_${mode}`))
        expect(await storage.tokens.chain(`tok_${mode}`)).toHaveLength(1)
        expect(await startRecorder({ storage }).record({ draft: draft() })).toBeDefined()
        await storage.close()
      }
      const { applied, pending } = await using(database, (schema) => schema.status())
      expect([applied.at(-1)?.name, pending]).toEqual(['later', []])
      await database.tamper(`update schema_migrations set readable_from = null`)
      await expect(database.open('verify')).rejects.toBeInstanceOf(SchemaMismatch)
    })

    /** The trail of one who keeps entries for a day, or for ever; the clock of the machine is years later. */
    const recordOn = async (storage: Storage, ...retentions: readonly (number | undefined)[]): Promise<void> => {
      for (const retention of retentions)
        await startRecorder({ storage, seal: sealFor(() => retention) }).record({ draft: draft({ timestamp: '2020-01-01T00:00:00.000Z' }) })
    } // prettier-ignore

    it('N07: keep the trail append-only: nothing is changed, hidden, moved or emptied, or erased before its time', async () => {
      const database = await create()
      const storage = await database.open('migrate')
      await recordOn(storage, 0, 1000 * DAY_MS * 365, undefined, DAY_MS, 0)
      await storage.close()
      for (const refused of [
        'delete from audit_entries', `update audit_entries set text = 'b'`, 'update audit_entries set sequence = 99 where sequence = 1',
        'update audit_entries set text = null where sequence = 2', 'update audit_entries set text = null where sequence = 3',
        'update audit_entries set text = null where sequence = 4', 'update audit_entries set erasable_from = 0',
        'update audit_entries set erasable_from = 0, text = null where sequence = 3', 'delete from audit_index',
        `update audit_index set root_principal = 'human:eve'`, 'update audit_index set root_principal = null',
        'update audit_index set recorded_at = 0', 'update audit_index set sequence = 99 where sequence = 1',
        ...(name === 'PostgreSQL' ? ['truncate audit_entries', 'truncate audit_index', 'truncate checkpoints'] : []),
      ])
        await expect(database.tamper(refused), refused).rejects.toThrow('append-only')
      await database.tamper('update audit_entries set text = null where sequence = 1')
      await expect(database.tamper('update audit_entries set erasable_from = null where sequence = 1')).rejects.toThrow('append-only')
    }) // prettier-ignore

    it('N07: replace no entry, no row of the index and no checkpoint by an insert in its place', async () => {
      const database = await create()
      const storage = await database.open('migrate')
      await recordOn(storage, 0, undefined)
      await storage.close()
      await database.tamper(`insert into audit_index (sequence, recorded_at, invocation_id) values (7, 0, 'inv_7')`)
      await database.tamper(`insert into checkpoints values (1, 'cp_1', 2, '{}'), (2, 'cp_2', 2, '{}')`)
      const before = await contentOf(database)
      for (const refused of [...REPLACEMENTS[name], `update checkpoints set body = ''`, 'delete from checkpoints'])
        await expect(database.tamper(refused), refused).rejects.toThrow('append-only')
      expect(await contentOf(database)).toEqual(before)
      const next = await database.open('verify')
      expect((await startRecorder({ storage: next }).record({ draft: draft() }))?.entry.sequence).toBe(3)
      await next.close()
    })

    it('account for what was erased before erasures left entries', async () => {
      const database = await create()
      const before = MIGRATIONS.filter(({ version }) => version < 5)
      await database.tamper(SCHEMA_TABLE)
      for (const migration of before) {
        const statements = statementsFor(migration, name === 'SQLite' ? 'sqlite' : 'postgres')
        for (const sql of statements) await database.tamper(sql)
        await database.tamper(
          `insert into schema_migrations values (${migration.version}, '${migration.name}', '${sha256Hex(statements.join(';\n'))}', 0)`,
        )
      }
      const { entry: _, leafHash, text } = sealEntry(draft({ timestamp: '2020-01-01T00:00:00.000Z' }), 1)
      const hex = Buffer.from(leafHash).toString('hex')
      const hash = name === 'SQLite' ? `x'${hex}'` : `'\\x${hex}'`
      await database.tamper(`insert into audit_entries (sequence, text, hashes) values (1, '${text}', ${hash})`)
      await database.tamper(`update audit_entries set text = null`)
      await database.tamper(`update audit_head set size = 1, frontier = ${hash}`)
      const storage = await database.open('migrate')
      const texts = await storage.audit.texts(1, 5)
      expect(texts.map(({ text: stored }) => stored && (JSON.parse(stored) as AuditEntry))).toMatchObject([
        null,
        { sequence: 2, entry_type: 'erasure', erased: { ranges: [[1, 1]], count: 1 } },
      ])
      expect(await storage.audit.nodes([{ level: 1, index: 0 }])).toHaveLength(1)
      await storage.close()
    })

    it('let the owner of the schema erase before the time, which an entry accounts for', async () => {
      const database = await create()
      const storage = await database.open('migrate')
      await recordOn(storage, undefined, DAY_MS, undefined)
      const account: ErasureAccount = { draft: (erased) => erasureDraft('service:schema-owner', erased, 'The law.', '2020-01-01T00:00:00.000Z'), seal: sealEntry } // prettier-ignore
      const erase = (...sequences: readonly number[]) =>
        using(database, (schema) => schema.erase(sequences, account))
      expect(await erase(1, 3)).toEqual({ ranges: [[1, 1], [3, 3]], count: 2 }) // prettier-ignore
      await expect(erase(2, 9)).rejects.toThrow('There is no entry 9.')
      await expect(erase(1)).rejects.toThrow('The content of entry 1 is erased already.')
      await expect(erase(4)).rejects.toThrow('Entry 4 is an erasure, which stays for ever')
      const texts = await storage.audit.texts(1, 9)
      expect(texts.map(({ text }) => text !== null)).toEqual([false, true, false, true])
      expect(JSON.parse(texts[3]!.text!)).toMatchObject({ erased: { count: 2 }, detail: 'The law.', actor_key: 'service:schema-owner' })
      await storage.close()
      await expect(database.tamper('update audit_entries set text = null where sequence = 2')).rejects.toThrow('append-only')
    }) // prettier-ignore
  })
})

/** Statements that put something in the place of what is recorded, without a word of deletion. */
const REPLACEMENTS = {
  SQLite: [
    `insert or replace into audit_entries (sequence, text, hashes) values (1, '{}', x'00')`,
    `replace into audit_entries (sequence, text, hashes) values (2, '{}', x'00')`,
    `insert or replace into audit_entries (sequence, text, hashes) select sequence, '{}', x'00' from audit_entries`,
    `insert or ignore into audit_entries (sequence, text, hashes) values (1, '{}', x'00')`,
    `insert into audit_entries (sequence, text, hashes) values (1, '{}', x'00') on conflict do update set text = '{}'`,
    'update or replace audit_entries set sequence = 1 where sequence = 2',
    'insert or replace into audit_index (sequence, recorded_at) values (7, 1)',
    'replace into audit_index (sequence, recorded_at) values (7, 1)',
    `replace into audit_index (sequence, recorded_at, invocation_id) values (8, 1, 'inv_7')`,
    `replace into audit_index (recorded_at, invocation_id) values (1, 'inv_7')`,
    'update or replace audit_index set sequence = 7 where sequence = 1',
    `update or replace audit_index set invocation_id = 'inv_7' where sequence = 1`,
    `replace into checkpoints values (1, 'cp_9', 9, '{}')`,
    `replace into checkpoints values (9, 'cp_1', 9, '{}')`,
    `replace into checkpoints (rowid, sequence, checkpoint_id, entry_count, body) values (1, 9, 'cp_9', 9, '{}')`,
    'update or replace checkpoints set sequence = 1 where sequence = 2',
  ],
  PostgreSQL: [
    `insert into audit_entries (sequence, text, hashes) values (1, '{}', '') on conflict (sequence) do update set text = '{}'`,
    `merge into audit_entries e using (values (1)) as n (sequence) on e.sequence = n.sequence
      when matched then update set text = '{}'`,
    `merge into audit_entries e using (values (1)) as n (sequence) on e.sequence = n.sequence when matched then delete`,
    `insert into audit_index (sequence, recorded_at) values (7, 1) on conflict (sequence) do update set recorded_at = 1`,
    `merge into audit_index i using (values (7)) as n (sequence) on i.sequence = n.sequence when matched then delete`,
    `insert into checkpoints values (1, 'cp_1', 9, '{}') on conflict (sequence) do update set entry_count = 9`,
    `merge into checkpoints c using (values (1)) as n (sequence) on c.sequence = n.sequence when matched then delete`,
  ],
} as const

const contentOf = (database: Database) =>
  Promise.all(
    ['audit_entries', 'audit_index', 'checkpoints'].map((table) =>
      database.tamper(`select * from ${table} order by sequence`),
    ),
  )

const LATER = 'insert into schema_migrations (version, name, checksum, applied_at'
const DAY_MS = 24 * 3_600_000
const SCHEMA_TABLE = 'create table schema_migrations (version bigint primary key, name text not null, checksum text not null, applied_at bigint not null)' // prettier-ignore
