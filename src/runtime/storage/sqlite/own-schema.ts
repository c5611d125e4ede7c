/**
 * Refuses a schema that does something by itself: whoever may write a SQLite file may also add a trigger that takes back
 * each revocation as it is made, a view in the place of a table, or an index by which a second block is ignored (threat
 * N31). Tables, views and indexes of others, which nothing of ours depends on, are theirs.
 */
import { StorageUnavailable } from '../contract.js'
import { RESTORE } from '../sql/schema/005-erasure.js'
import { MIGRATIONS } from '../sql/schema/index.js'
import { statementsFor } from '../sql/schema/migration.js'
import type { SqliteConnection } from './connection.js'

const plain = (sql: string): string => sql.replace(/\s+/gu, ' ').trim().toLowerCase()

const OWN: ReadonlySet<string> = new Set(
  [...MIGRATIONS.flatMap((migration) => statementsFor(migration, 'sqlite')), ...RESTORE.sqlite].map(plain),
)
const OWN_TABLES: ReadonlySet<string> = new Set(
  [...OWN].flatMap((sql) => /^create table (?:if not exists )?(\w+)/u.exec(sql)?.[1] ?? []),
)

const VERSION = { sql: 'pragma schema_version', values: [] }
const OBJECTS = { sql: 'select type, name, tbl_name, sql from sqlite_master where sql is not null', values: [] }

/** Returns what throws `StorageUnavailable` for a foreign schema; it reads the schema only where it has changed. */
export function schemaGuard({ run }: Pick<SqliteConnection, 'run'>): () => void {
  let judged: unknown
  return () => {
    const version = run(VERSION)[0]?.['schema_version']
    if (version === judged) return
    for (const each of run(OBJECTS)) assertOwn(each as unknown as SchemaObject)
    judged = version
  }
}

interface SchemaObject {
  readonly type: string
  readonly name: string
  readonly tbl_name: string
  readonly sql: string
}

function assertOwn({ type, name, tbl_name: table, sql }: SchemaObject): void {
  if (!OWN_TABLES.has(table.toLowerCase()) || !actsByItself(type, plain(sql))) return
  throw new StorageUnavailable(
    `The database has the ${type} ${JSON.stringify(name)} on ${table}, which svc did not make, and which may undo what a ` +
      'service writes. Find out who made it, and drop it.',
  )
}

/** Holds for what runs, hides rows, or has rows ignored or replaced, and is not of a migration. */
function actsByItself(type: string, sql: string): boolean {
  if (type === 'table') return !sql.startsWith('create table ') || sql.includes('on conflict')
  if (type === 'index') return sql.startsWith('create unique index ') && !OWN.has(sql)
  return !OWN.has(sql)
}
