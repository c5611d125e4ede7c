/** What is bound to the table of the entries, and would go on with its first partition alone. */
import { integer, textColumn } from '../../sql/columns.js'
import { row, type StoragePlan } from '../../sql/plan.js'
import { NotPartitioned } from './not-partitioned.js'

interface Bound {
  /** Gives names. */
  readonly found: string
  /** What is wrong with one of them, and what to do. */
  readonly advice: (name: string) => string
}

const TABLE = `to_regclass('audit_entries')`
const ROW_TYPE = `(select reltype from pg_class where oid = ${TABLE})`

const alone =
  (what: string) =>
  (name: string): string =>
    `The ${what} ${name} is bound to the table audit_entries and would go on with its first partition alone. Drop it, and make it again afterwards.`

const BOUND: readonly Bound[] = [
  {
    found: `select distinct v.ev_class::regclass::text as name from pg_rewrite v join pg_depend d on d.objid = v.oid
      where d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass and d.refobjid = ${TABLE} and v.ev_class <> ${TABLE}`,
    advice: alone('view'),
  },
  { found: `select rulename from pg_rewrite where ev_class = ${TABLE}`, advice: alone('rule') },
  {
    found: `select distinct d.objid::regprocedure::text from pg_depend d where d.classid = 'pg_proc'::regclass
      and (d.refclassid = 'pg_class'::regclass and d.refobjid = ${TABLE} or d.refclassid = 'pg_type'::regclass and d.refobjid = ${ROW_TYPE})`,
    advice: alone('function'),
  },
  {
    found: `select tgname from pg_trigger where tgrelid = ${TABLE} and not tgisinternal
      and tgname not in ('audit_entries_are_kept', 'audit_entries_are_fixed', 'audit_entries_stay')`,
    advice: alone('trigger'),
  },
  {
    found: `select p.pubname from pg_publication_rel r join pg_publication p on p.oid = r.prpubid where r.prrelid = ${TABLE}`,
    advice: alone('publication'),
  },
  {
    found: `select quote_ident(pubname) from pg_publication p where not pubviaroot and (puballtables or exists (
      select 1 from pg_publication_namespace n join pg_class c on c.relnamespace = n.pnnspid where n.pnpubid = p.oid and c.oid = ${TABLE}))`,
    advice: (name) =>
      `The publication ${name} would publish each partition under its own name, which subscribers lack. Run first: alter publication ${name} set (publish_via_partition_root = true)`,
  },
  { found: `select conname from pg_constraint where confrelid = ${TABLE}`, advice: alone('foreign key') },
  {
    found: `select conname from pg_constraint where conrelid = ${TABLE} and contype in ('c', 'f', 'u', 'x')`,
    advice: alone('constraint'),
  },
  {
    found: `select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = ${TABLE} and c.relname not in ('audit_entries_pkey', 'audit_by_erasure')`,
    advice: alone('index'),
  },
  { found: `select stxname from pg_statistic_ext where stxrelid = ${TABLE}`, advice: alone('statistics object') },
  {
    found: `select inhrelid::regclass::text from pg_inherits where inhparent = ${TABLE}`,
    advice: alone('child table'),
  },
  { found: `select polname from pg_policy where polrelid = ${TABLE}`, advice: alone('policy') },
  {
    found: `select relname from pg_class where oid = ${TABLE} and (relrowsecurity or relforcerowsecurity)`,
    advice: (name) =>
      `Row security of ${name} would go on with its first partition alone. Switch it off (alter table ${name} disable row level security, no force row level security), and on again afterwards.`,
  },
  {
    found: `select pg_get_userbyid(a.grantee) || ', given by ' || pg_get_userbyid(a.grantor) from (
        select relowner, (aclexplode(relacl)).* from pg_class where oid = ${TABLE}
        union all
        select c.relowner, (aclexplode(t.attacl)).* from pg_class c join pg_attribute t on t.attrelid = c.oid where c.oid = ${TABLE}
      ) a where a.grantor <> a.relowner`,
    advice: (name) =>
      `A right on audit_entries was passed on: that of ${name}. Revoke it, and grant it again as the owner of the table.`,
  },
]

const ALL = BOUND.map(({ found }, nth) => `select ${nth} as nth, * from (${found}) as b (name)`).join(' union all ')

export function* refuseWhatIsBound(): StoragePlan<void> {
  const found = yield* row(`${ALL} order by nth, name`)
  if (found !== undefined) throw new NotPartitioned(BOUND[integer(found, 'nth')]!.advice(textColumn(found, 'name')))
}
