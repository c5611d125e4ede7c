import { existsSync } from 'node:fs'
import {
  SchemaMismatch,
  type AppliedMigration,
  type MigrationName,
  type MigrationStatus,
} from '../../runtime/storage/sql/migrate.js'
import type { SchemaTool } from '../../runtime/storage/sql/schema-tool.js'
import { asJson } from '../shared/output/as-json.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { databaseOf, explainDatabase, type Database } from '../shared/database.js'
import type { MigrateOptions, UpOptions } from './options.js'
import { printError, printOut } from '../shared/output/print.js'
import { shellWord } from '../../protocol/shell.js'

/** Prints what was applied and what is pending. */
export async function status(options: MigrateOptions): Promise<ExitCode> {
  const database = databaseOf(options.database)
  if (isMissing(database))
    throw new CliError(
      `There is no database ${database.shown}. Make it with: svc migrate up --database ${shellWord(database.shown)}`,
    )
  const found = await withSchema(database, (schema) => schema.status())
  printOut(options.json === true ? asJson(dataOf(found)) : describe(found))
  return found.pending.length === 0 ? EXIT.ok : EXIT.findings
}

/** Applies what is pending, or rehearses it: where there is no file, in memory. */
export async function up(options: UpOptions): Promise<ExitCode> {
  const database = databaseOf(options.database)
  const isRehearsal = options.dryRun === true
  const used = isRehearsal && isMissing(database) ? { ...database, place: ':memory:' } : database
  const applied = await withSchema(used, (schema) => (isRehearsal ? schema.rehearse() : schema.up()))
  const answer = options.json === true ? asJson({ applied, dry_run: isRehearsal }) : undefined
  printOut(answer ?? applied.map((each) => `${isRehearsal ? 'would apply' : 'applied'} ${named(each)}\n`).join(''))
  printError(applied.length === 0 ? 'The schema is current; there is nothing to apply.\n' : '')
  return EXIT.ok
}

export const isMissing = ({ isPostgres, place }: Database): boolean => !isPostgres && !existsSync(place)

/** Uses the schema of a database, and closes it. */
export async function withSchema<T>(database: Database, use: (schema: SchemaTool) => Promise<T>): Promise<T> {
  const schema = await open(database).catch((error: unknown) => explain(database, error))
  try {
    return await use(schema).catch((error: unknown) => explain(database, error))
  } finally {
    await schema.close()
  }
}

async function open({ place, isPostgres }: Database): Promise<SchemaTool> {
  if (!isPostgres) return (await import('../../runtime/storage/sqlite/index.js')).openSqliteSchema({ file: place })
  const postgres = await import('../../runtime/storage/postgres/index.js')
  return postgres.openPostgresSchema({ connectionString: place })
}

function explain(database: Database, error: unknown): never {
  if (error instanceof SchemaMismatch)
    throw new CliError(`${database.shown}: ${error.message} Use the version of svc that made it.`)
  return explainDatabase(database, error)
}

const named = ({ version, name }: MigrationName): string => `${String(version).padStart(3, '0')} ${name}`

const timeText = ({ applied_at }: AppliedMigration): string => new Date(applied_at).toISOString()

const dataOf = ({ applied, pending }: MigrationStatus) => ({
  applied: applied.map((each) => ({ ...each, applied_at: timeText(each) })),
  pending,
})

const describe = ({ applied, pending }: MigrationStatus): string =>
  [
    ...applied.map((each) => `applied  ${named(each)}  ${timeText(each)}\n`),
    ...pending.map((each) => `pending  ${named(each)}\n`),
  ].join('')
