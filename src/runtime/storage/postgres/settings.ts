/** What each connection has set, itself or, behind PgBouncer, by its role. */
import type { Pool } from 'pg'
import { StorageUnavailable } from '../contract.js'

/**
 * Every statement has an index to go by (a test reads the plans). A plan that was made while a table was small must not
 * become a scan of a large one, so scans of whole tables, and joins that begin with one, are ruled out, and plans are
 * made once.
 */
const SETTINGS: { readonly [name: string]: string } = {
  synchronous_commit: 'on',
  default_transaction_isolation: 'read committed',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
  // What is ruled out has a cost beyond measure, for which PostgreSQL would compile a plan for longer than it runs.
  jit: 'off',
  statement_timeout: '10000',
  // A connection that was cut off in a transaction holds its rows, as that of the log's head, for so long (threat N24).
  idle_in_transaction_session_timeout: '1500',
}

const ASKED = Object.entries(SETTINGS).map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)

interface Asking {
  readonly connectionString: string
  readonly options: string
}

/**
 * The address and the settings that a new connection asks for: what the address asks for itself, as a `search_path`, comes first. The driver would take
 * the options of an address in place of these.
 *
 * @example askingOf('postgresql://svc@db/shop?options=-c%20search_path%3Dsvc').options // '-c search_path=svc -c synchronous_commit=on …'
 */
export function askingOf(address: string): Asking {
  const start = address.indexOf('?')
  const query = new URLSearchParams(start === -1 ? '' : address.slice(start + 1))
  const own = query.getAll('options')
  query.delete('options')
  const connectionString = own.length === 0 ? address : `${address.slice(0, start)}?${query.toString()}`
  return { connectionString, options: [...own, ...ASKED].join(' ') }
}

/**
 * Whether the address says that PgBouncer stands between and lends a connection for a transaction only. Then nothing may be prepared on
 * a connection, or set on it.
 *
 * @example isPooled('postgresql://svc@bouncer:6432/shop?pgbouncer=true') // true
 */
export function isPooled(address: string): boolean {
  const query = address.slice(address.indexOf('?') + 1)
  return address.includes('?') && new URLSearchParams(query).get('pgbouncer') === 'true'
}

const ACTUAL = 'select name, setting, current_user as role from pg_settings where name = any($1)'

interface Actual {
  readonly name: string
  readonly setting: string
  readonly role: string
}

/** Rejects with `StorageUnavailable`, and what to do, unless the settings are in force on a connection of the pool. */
export async function verifySettings(pool: Pool, pooled: boolean): Promise<void> {
  const { rows } = await pool.query<Actual>(ACTUAL, [Object.keys(SETTINGS)]).catch((error: unknown) => {
    throw isRefusedByPooler(error) ? new StorageUnavailable(UNSAID, { cause: error }) : error
  })
  const wrong = rows.filter((each) => !holds(each))
  if (wrong.length > 0) throw new StorageUnavailable(pooled ? remedyOf(wrong) : UNSAID)
}

/** A limit of time may be shorter than what is asked for; 0 would be none. */
function holds({ name, setting }: Actual): boolean {
  const wanted = SETTINGS[name]
  if (!name.endsWith('_timeout')) return setting === wanted
  return Number(setting) > 0 && Number(setting) <= Number(wanted)
}

const UNSAID =
  'A pooler such as PgBouncer stands before PostgreSQL and keeps the settings of this service from it. ' +
  'Add ?pgbouncer=true to the address (docs/guides/storage.md).'

/** PgBouncer refuses a connection that asks for settings, unless it is told to ignore them. */
const isRefusedByPooler = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('unsupported startup parameter')

const remedyOf = (wrong: readonly Actual[]): string =>
  [
    'Behind PgBouncer the settings of this service come from its role. Run these once, and reconnect PgBouncer to PostgreSQL (RECONNECT):',
    ...wrong.map(({ name, role }) => `  alter role "${role.replaceAll('"', '""')}" set ${name} = '${SETTINGS[name]}';`),
  ].join('\n')
