/** Who may do what with the entries: as before with the whole, and no more than read a partition by itself, as backups do. */
import { optionalText, textColumn } from '../../sql/columns.js'
import { rows, row, type StoragePlan } from '../../sql/plan.js'

interface Right {
  readonly grantee: string
  readonly privilege: string
  readonly column: string | null
  readonly again: string
}

/** Names come quoted. The owner has all rights anyway. */
const RIGHTS = `
  select case when a.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end as grantee,
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

/** Takes back what default privileges gave, then gives these. */
export function* giveRights(table: string, rights: readonly Right[]): StoragePlan<void> {
  const given = new Set((yield* rightsOf(table)).map(({ grantee }) => grantee))
  for (const grantee of given) yield* rows(`revoke all on ${table} from ${grantee}`)
  for (const { grantee, privilege, column, again } of rights)
    yield* rows(`grant ${privilege}${column === null ? '' : ` (${column})`} on ${table} to ${grantee}${again}`)
}

export const readingAmong = (rights: readonly Right[]): readonly Right[] =>
  rights.filter(({ privilege }) => privilege === 'SELECT')

const OWNER = 'select quote_ident(pg_get_userbyid(relowner)) as owner from pg_class where oid = to_regclass(?)'

export function* ownerOfTable(table: string): StoragePlan<string> {
  return textColumn((yield* row(OWNER, table))!, 'owner')
}
