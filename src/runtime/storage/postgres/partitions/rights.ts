/** Who may do what with the entries: as before with the whole, and no more than read a partition by itself, as backups do. */
import { optionalText, textColumn } from '../../sql/columns.js'
import { row, rows, type StoragePlan } from '../../sql/plan.js'

interface Right {
  readonly grantee: string
  readonly privilege: string
  readonly column: string | null
  readonly again: string
}

/** Names come quoted. The owner has all rights anyway. */
const RIGHTS = `
  select distinct case when a.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end as grantee,
    a.privilege_type as privilege, a.col, case when a.is_grantable then ' with grant option' else '' end as again
  from (
    select c.oid, c.relowner, null as col, (aclexplode(c.relacl)).* from pg_class c
    union all
    select c.oid, c.relowner, quote_ident(t.attname), (aclexplode(t.attacl)).*
      from pg_class c join pg_attribute t on t.attrelid = c.oid where t.attacl is not null
  ) a where a.oid = to_regclass(?) and a.grantee <> a.relowner`

export function* rightsOf(table: string): StoragePlan<readonly Right[]> {
  return (yield* rows(RIGHTS, table)).map((stored) => ({
    grantee: textColumn(stored, 'grantee'),
    privilege: textColumn(stored, 'privilege'),
    column: optionalText(stored, 'col'),
    again: textColumn(stored, 'again'),
  }))
}

/** Sees that these rights are all that others have: takes back what default privileges gave, or a grant on all tables. */
export function* giveRights(table: string, rights: readonly Right[]): StoragePlan<void> {
  const given = yield* rightsOf(table)
  if (listed(given) === listed(rights)) return
  for (const grantee of new Set(given.map((each) => each.grantee)))
    yield* rows(`revoke all on ${table} from ${grantee} cascade`)
  for (const { grantee, privilege, column, again } of rights)
    yield* rows(`grant ${privilege}${column === null ? '' : ` (${column})`} on ${table} to ${grantee}${again}`)
}

const listed = (rights: readonly Right[]): string =>
  rights
    .map((each) => JSON.stringify([each.grantee, each.privilege, each.column, each.again]))
    .sort()
    .join()

const GUARDED = `select 1 from pg_class where oid = to_regclass('audit_entries') and relrowsecurity`

/**
 * Whoever may read the whole may read a partition, and nobody else may do anything with it. Row security of the whole does not guard a partition that is read by
 * itself: then nobody may.
 */
export function* giveReading(table: string): StoragePlan<void> {
  const guarded = yield* row(GUARDED)
  const rights = guarded === undefined ? yield* rightsOf('audit_entries') : []
  yield* giveRights(
    table,
    rights.filter(({ privilege }) => privilege === 'SELECT'),
  )
}
