/** The stores that a writer of the database attacks: how each is prepared, copied, written to, and what its SQL is. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import pg from 'pg'
import type { Storage } from '../../src/runtime/storage/contract.js'
import { openPostgres } from '../../src/runtime/storage/postgres/index.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { CLOCK, SERVER } from '../runtime/fixture/store.js'
import { EARLIER, NOW } from './database-writer.js'

export interface Column {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
}

/** Table -> its columns, as the migrations made them. */
export type Schema = ReadonlyMap<string, readonly Column[]>

/** A database that is attacked. */
export interface Copy {
  readonly open: () => Promise<Storage>
  /** Runs what a writer of the database runs. */
  readonly force: (sql: string) => Promise<void>
  readonly drop: () => Promise<void>
}

export interface Engine {
  readonly name: 'SQLite' | 'PostgreSQL'
  /** The database that is prepared; it is closed before it is copied. */
  readonly open: () => Promise<Storage>
  readonly copied: () => Promise<Copy>
  /** Keeps the rows of each table as they are now, beside it. */
  readonly remember: () => Promise<void>
  readonly schema: () => Promise<Schema>
  readonly end: () => Promise<void>
  readonly sql: {
    /** Another value of a column, and an empty one of its type. */
    readonly changed: (column: Column) => string
    readonly emptied: (column: Column) => string
    /** The hidden column that tells rows apart. */
    readonly row: string
  }
}

/** The store of this run: PostgreSQL under `npm test -- postgres`, else SQLite. */
export const engineOf = (): Engine => (SERVER === undefined ? sqlite() : postgres(SERVER))

function sqlite(): Engine {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'svc-writer-'))
  const file = join(folder, 'service.db')
  const read = (sql: string): readonly { readonly [column: string]: unknown }[] => {
    const driver = new Database(file)
    const found = driver.prepare(sql).all() as { readonly [column: string]: unknown }[]
    driver.close()
    return found
  }
  const openFile = (path: string) => openSqlite({ file: path, clock: () => NOW })
  const tables = (): readonly string[] =>
    read(
      `select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '${EARLIER}%' order by name`,
    ).map(({ name }) => String(name))
  return {
    name: 'SQLite',
    open: () => openFile(file),
    copied: async () => {
      const copy = join(folder, 'attacked.db')
      copyFileSync(file, copy)
      const force = async (sql: string): Promise<void> => {
        const driver = new Database(copy)
        try {
          // Whoever writes to the file decides whether references are checked.
          driver.pragma('foreign_keys = off')
          driver.exec(sql)
        } finally {
          driver.close()
        }
      }
      return { open: () => openFile(copy), force, drop: async () => undefined }
    },
    remember: async () => {
      const driver = new Database(file)
      for (const table of tables()) driver.exec(`create table ${EARLIER}${table} as select * from ${table}`)
      driver.close()
    },
    schema: async () =>
      new Map(
        tables().map((table) => [
          table,
          read(`select name, type, "notnull" as required from pragma_table_info('${table}')`).map((each) => ({
            name: String(each['name']),
            type: String(each['type']),
            isRequired: each['required'] === 1,
          })),
        ]),
      ),
    end: async () => rmSync(folder, { recursive: true, force: true }),
    sql: {
      changed: ({ name }) => `case typeof(${name})
  when 'integer' then ${name} + 1000000000000 when 'null' then 1 when 'blob' then x'00'
  else case when ${name} like '{%' then replace(${name}, ':"', ':"x') else 'x' || ${name} end end`,
      emptied: ({ name }) => `case typeof(${name}) when 'integer' then 0 else '' end`,
      row: 'rowid',
    },
  }
}

const PREPARED = 'writer_prepared'

function postgres(server: string): Engine {
  let made = 0
  const run = async <Row extends pg.QueryResultRow>(name: string, sql: string): Promise<readonly Row[]> => {
    const client = new pg.Client({ connectionString: `${server}/${name}` })
    await client.connect()
    return (await client.query<Row>(sql).finally(() => client.end())).rows
  }
  const path = encodeURIComponent('-c search_path=public,moved,pg_catalog')
  const openNamed = (name: string) =>
    openPostgres({ connectionString: `${server}/${name}?options=${path}`, schema: 'migrate', connections: 4 })
  return {
    name: 'PostgreSQL',
    open: async () => {
      await run('postgres', `create database ${PREPARED}`)
      await run(PREPARED, `${CLOCK} update moved.clock set ms = ${NOW};`)
      return openNamed(PREPARED)
    },
    copied: async () => {
      const name = `writer_${++made}`
      await run('postgres', `create database ${name} template ${PREPARED}`)
      const force = async (sql: string): Promise<void> => void (await run(name, sql))
      return {
        open: () => openNamed(name),
        force,
        drop: async () => void (await run('postgres', `drop database ${name} with (force)`)),
      }
    },
    remember: () =>
      run(
        PREPARED,
        `do $$ declare each text; begin
           for each in select tablename from pg_tables where schemaname = 'public' loop
             execute format('create table %I as table %I', '${EARLIER}' || each, each);
           end loop;
         end $$`,
      ).then(() => undefined),
    schema: async () => {
      const columns = await run<{ table: string; name: string; type: string; nullable: string }>(
        PREPARED,
        `select table_name as table, column_name as name, data_type as type, is_nullable as nullable
           from information_schema.columns where table_schema = 'public' and is_generated = 'NEVER' and table_name not like '${EARLIER}%' order by table_name, ordinal_position`,
      )
      const schema = new Map<string, Column[]>()
      for (const { table, name, type, nullable } of columns)
        schema.set(table, [...(schema.get(table) ?? []), { name, type, isRequired: nullable === 'NO' }])
      return schema
    },
    end: async () => void (await run('postgres', `drop database if exists ${PREPARED} with (force)`)),
    sql: {
      changed: ({ name, type }) => CHANGED[type]?.(name) ?? changedText(name, type),
      emptied: ({ type }) => EMPTY[type] ?? "''",
      row: 'ctid',
    },
  }
}

const number = (name: string): string => `coalesce(${name}, 0) + 1000000`
const CHANGED: { readonly [type: string]: (name: string) => string } = {
  bigint: number,
  integer: number,
  smallint: (name) => `coalesce(${name}, 0) + 1`,
  'double precision': number,
  numeric: number,
  boolean: (name) => `not coalesce(${name}, false)`,
  bytea: () => String.raw`'\x00'`,
  'timestamp with time zone': (name) => `coalesce(${name}, now()) + interval '1000 days'`,
}

/** Members of JSON get another value, and other texts another beginning. */
const changedText = (name: string, type: string): string =>
  `(case when ${name}::text like '{%' then replace(${name}::text, ':"', ':"x') else 'x' || ${name}::text end)::${type.replace('ARRAY', 'text[]')}`

const EMPTY: { readonly [type: string]: string } = {
  bigint: '0',
  integer: '0',
  smallint: '0',
  'double precision': '0',
  numeric: '0',
  boolean: 'false',
  bytea: String.raw`'\x'`,
  json: `'{}'`,
  jsonb: `'{}'`,
  'timestamp with time zone': `'epoch'`,
}
