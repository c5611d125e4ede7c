/** The SQLite file of a service that is stopped, as rows to carry elsewhere. */
import { textColumn } from '../sql/columns.js'
import { NotCarried, type CarriedSource, type CarriedTable } from '../sql/carry.js'
import type { Row } from '../sql/plan.js'
import type { SqliteConnection } from './connection.js'

/** Referred to before those that refer to them. */
const FIRST = ['approval_requests']
const PAGE = 500

const TABLES =
  "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name <> " +
  "'schema_migrations' order by name"
const VERSIONS = 'select version from schema_migrations order by version'
const RUNNING = `select lease_key from leases where lease_key like 'process:%' and expires_at > :now`

const ask = (connection: SqliteConnection, sql: string, ...values: readonly (string | number)[]) =>
  connection.run({ sql, values })

/** Within a transaction that keeps others from writing. Refuses where a process holds the service. */
export function carriedSource(connection: SqliteConnection, fresh: SqliteConnection): CarriedSource {
  if (ask(connection, RUNNING).length > 0)
    throw new NotCarried(
      'A service runs on this database. Stop it; where it was killed, wait a minute for its lease to end.',
    )
  const known = new Set(ask(fresh, VERSIONS).map(({ version }) => Number(version)))
  const newer = ask(connection, VERSIONS).find(({ version }) => !known.has(Number(version)))
  if (newer !== undefined)
    throw new NotCarried(
      `A newer version of svc-kit made this database (migration ${Number(newer['version'])}). Copy it with that version.`,
    )
  const names = ask(connection, TABLES).map((found) => textColumn(found, 'name'))
  const ordered = [...FIRST, ...names.filter((name) => !FIRST.includes(name))]
  return { tables: ordered.map((name) => tableOf(connection, name, countIn(fresh, name))) }
}

const countIn = (connection: SqliteConnection, name: string): number =>
  Number(ask(connection, `select count(*) as total from ${name}`)[0]!['total'])

function tableOf(connection: SqliteConnection, name: string, seeds: number): CarriedTable {
  const columns = ask(connection, `select name, type from pragma_table_info('${name}')`)
  // Integers go as text: a number of JavaScript is too small for some.
  const chosen = columns.map((column) => {
    const own = textColumn(column, 'name')
    return /int/iu.test(textColumn(column, 'type')) ? `cast(${own} as text) as ${own}` : own
  })
  const sql = `select rowid as carried_after, ${chosen.join(', ')} from ${name} where rowid > ? order by rowid limit ${PAGE}`
  return {
    name,
    seeds,
    columns: columns.map((column) => textColumn(column, 'name')),
    *pages() {
      for (let after = 0; ;) {
        const page: readonly Row[] = ask(connection, sql, after)
        if (page.length === 0) return
        yield page
        after = Number(page.at(-1)!['carried_after'])
      }
    },
  }
}
