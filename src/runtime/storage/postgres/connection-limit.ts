/** Connections that the database grants, judged when a service opens it and not under load. */
import { StorageUnavailable } from '../contract.js'
import { integer, textColumn } from '../sql/columns.js'
import { row, type Engine } from '../sql/plan.js'

/** The limits of the role and of the database, where -1 is none, and of the server; a superuser has the last alone. */
const LIMITS = `
  select r.rolname::text as role, d.datname::text as database,
    case when r.rolsuper then -1 else r.rolconnlimit end as of_role,
    case when r.rolsuper then -1 else d.datconnlimit end as of_database,
    current_setting('max_connections')::int - case when r.rolsuper then 0
      else current_setting('superuser_reserved_connections')::int end as of_server
  from pg_roles r, pg_database d where r.rolname = current_user and d.datname = current_database()`

/** Rejects with `StorageUnavailable`, and what to do, where a process wants more connections than it may have. */
export async function verifyConnectionLimit(engine: Engine, wanted: number): Promise<void> {
  const limits = await engine.read(() => row(LIMITS))
  if (limits === undefined) return
  const few = (column: string): boolean => integer(limits, column) >= 0 && integer(limits, column) < wanted
  if (few('of_server')) throw tooFewOfServer(integer(limits, 'of_server'), wanted)
  const named = few('of_role') ? 'role' : few('of_database') ? 'database' : undefined
  if (named === undefined) return
  const name = textColumn(limits, named)
  throw new StorageUnavailable(
    `The ${named} ${JSON.stringify(name)} may have ${integer(limits, `of_${named}`)} connections, and each process of ` +
      `this service needs ${wanted}. Run: alter ${named} "${name.replaceAll('"', '""')}" connection limit ${wanted}; ` +
      'or open fewer: openPostgres({ connections })',
  )
}

const tooFewOfServer = (granted: number, wanted: number): StorageUnavailable =>
  new StorageUnavailable(
    `The server grants ${granted} connections in all, and each process of this service needs ${wanted}. Raise ` +
      'max_connections of PostgreSQL, or open fewer: openPostgres({ connections })',
  )
