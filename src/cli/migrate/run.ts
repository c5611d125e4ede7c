import { existsSync } from 'node:fs'
import { StorageUnavailable } from '../../runtime/storage/contract.js'
import { SchemaMismatch, type MigrationName, type MigrationStatus } from '../../runtime/storage/sql/migrate.js'
import type { SchemaTool } from '../../runtime/storage/sql/schema-tool.js'
import { CliError, EXIT, type ExitCode } from '../cli-error.js'
import type { MigrateOptions, UpOptions } from './options.js'

/** Prints what was applied and what is pending. */
export async function status(options: MigrateOptions): Promise<ExitCode> {
  const place = placeOf(options)
  if (!isPostgres(place) && !existsSync(place))
    throw new CliError(`There is no database ${place}. Make it with: svc migrate up --database ${place}`)
  const found = await withSchema(place, (schema) => schema.status())
  process.stdout.write(options.json === true ? `${JSON.stringify(found, null, 2)}\n` : describe(found))
  return found.pending.length === 0 ? EXIT.ok : EXIT.findings
}

/** Applies what is pending, or rehearses it. */
export async function up(options: UpOptions): Promise<ExitCode> {
  const place = placeOf(options)
  const isRehearsal = options.dryRun === true
  const applied = await withSchema(place, (schema) => (isRehearsal ? schema.rehearse() : schema.up()))
  const answer = options.json === true ? `${JSON.stringify({ applied, dry_run: isRehearsal }, null, 2)}\n` : undefined
  process.stdout.write(
    answer ?? applied.map((each) => `${isRehearsal ? 'would apply' : 'applied'} ${named(each)}\n`).join(''),
  )
  process.stderr.write(applied.length === 0 ? 'The schema is current; there is nothing to apply.\n' : '')
  return EXIT.ok
}

function placeOf({ database }: MigrateOptions): string {
  const place = database ?? process.env['SVC_DATABASE']
  if (place !== undefined && place !== '') return place
  throw new CliError('Name the database: --database <file or postgresql:// address>, or set SVC_DATABASE.')
}

const isPostgres = (place: string): boolean => /^postgres(?:ql)?:\/\//u.test(place)

async function withSchema<T>(place: string, use: (schema: SchemaTool) => Promise<T>): Promise<T> {
  const shown = isPostgres(place) ? place.replace(/\/\/[^@/]*@/u, '//') : place
  const schema = await open(place).catch((error: unknown) => explain(shown, error))
  try {
    return await use(schema).catch((error: unknown) => explain(shown, error))
  } finally {
    await schema.close()
  }
}

async function open(place: string): Promise<SchemaTool> {
  if (!isPostgres(place))
    return (await import('../../runtime/storage/sqlite/index.js')).openSqliteSchema({ file: place })
  const postgres = await import('../../runtime/storage/postgres/index.js').catch(() => undefined)
  if (postgres === undefined)
    throw new CliError('PostgreSQL needs the package pg beside svc-kit. Install it with: npm install pg')
  return postgres.openPostgresSchema({ connectionString: place })
}

function explain(place: string, error: unknown): never {
  if (error instanceof SchemaMismatch)
    throw new CliError(`${place}: ${error.message} Use the version of svc that made it.`)
  if (error instanceof StorageUnavailable) throw new CliError(`The database ${place} cannot be used. ${error.message}`)
  throw error
}

const named = ({ version, name }: MigrationName): string => `${String(version).padStart(3, '0')} ${name}`

const describe = ({ applied, pending }: MigrationStatus): string =>
  [
    ...applied.map((each) => `applied  ${named(each)}  ${new Date(each.applied_at).toISOString()}\n`),
    ...pending.map((each) => `pending  ${named(each)}\n`),
  ].join('')
