/** Rights of the role on the tables of a service, judged when a service opens the database and not at its first call. */
import { StorageUnavailable } from '../contract.js'
import { textColumn } from '../sql/columns.js'
import { row, rows, type Engine } from '../sql/plan.js'
import { MIGRATIONS } from '../sql/schema/index.js'
import { statementsFor } from '../sql/schema/migration.js'

/** Tables that a role which serves may not delete from (docs/guides/storage.md). */
const KEPT: readonly string[] = ['audit_entries', 'audit_index', 'checkpoints']
const ALL: readonly string[] = ['select', 'insert', 'update', 'delete']

const TABLES: readonly string[] = MIGRATIONS.flatMap((migration) => statementsFor(migration, 'postgres')).flatMap(
  (sql) => /^\s*create table (?:if not exists )?(\w+)/iu.exec(sql)?.[1] ?? [],
)

const LACKING = `
  select c.relname::text as name, p.verb::text as verb
  from pg_class c, unnest(array[${ALL.map((verb) => `'${verb}'`).join(', ')}]) with ordinality as p(verb, place)
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
    and c.relname = any(array[${TABLES.map((name) => `'${name}'`).join(', ')}])
    and not (p.verb = 'delete' and c.relname = any(array[${KEPT.map((name) => `'${name}'`).join(', ')}]))
    and not has_table_privilege(c.oid, p.verb)
  order by p.place, c.relname`

const ROLE = `
  select current_user::text as role, coalesce(current_schema(), '')::text as place, exists (
    select 1 from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relname = 'audit_entries'
      and pg_has_role(c.relowner, 'usage'))::int as owns`

/** Rejects with `StorageUnavailable`, and what to do, where the role may not use the schema of its search path. */
export async function verifySchemaRight(engine: Engine): Promise<void> {
  const { role, place } = await roleOf(engine)
  if (place !== '') return
  throw new StorageUnavailable(
    `The role ${JSON.stringify(role)} may use no schema of its search_path. Run as the owner of the database: ` +
      `grant usage on schema public to ${quoted(role)};`,
  )
}

/** Rejects with `StorageUnavailable`, and what to do, where the role lacks a right on a table. */
export async function verifyTableRights(engine: Engine): Promise<void> {
  const lacking = await engine.read(() => rows(LACKING))
  const [first] = lacking
  if (first === undefined) return
  const { role, place } = await roleOf(engine)
  const verb = textColumn(first, 'verb')
  const names = lacking.filter((each) => each['verb'] === verb).map((each) => textColumn(each, 'name'))
  throw new StorageUnavailable(
    `The role ${JSON.stringify(role)} has no right to ${verb} on ${names.join(', ')}. Run as the owner of the tables: ` +
      `grant ${ALL.join(', ')} on all tables in schema ${quoted(place)} to ${quoted(role)}; ` +
      `revoke delete, truncate on ${KEPT.join(', ')} from ${quoted(role)};`,
  )
}

/** The sentence about a role that serves and owns the tables; undefined where another one does. */
export async function ownerRemark(engine: Engine): Promise<string | undefined> {
  const { role, owns } = await roleOf(engine)
  if (!owns) return undefined
  return (
    `The role ${JSON.stringify(role)} owns the tables of the database, or is a superuser: it can switch off what guards ` +
    'the audit trail. Serve with another role (docs/guides/storage.md).'
  )
}

interface Role {
  readonly role: string
  readonly place: string
  readonly owns: boolean
}

async function roleOf(engine: Engine): Promise<Role> {
  const found = (await engine.read(() => row(ROLE)))!
  return { role: textColumn(found, 'role'), place: textColumn(found, 'place'), owns: found['owns'] === 1 }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
