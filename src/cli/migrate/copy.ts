/** `svc migrate copy`: a service moves from its SQLite file to PostgreSQL (decisions, section 13). */
import { existsSync } from 'node:fs'
import { NotCarried } from '../../runtime/storage/sql/carry.js'
import { SchemaMismatch } from '../../runtime/storage/sql/migrate.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import type { CopyOptions } from './options.js'
import { databaseOf, explainDatabase, type Database } from '../shared/database.js'
import { printOut } from '../shared/output/print.js'

/** Carries every table; the trail is verified before and after, and nothing stands unless it is the same. */
export async function copy({ from, to }: CopyOptions): Promise<ExitCode> {
  const [source, target] = [databaseOf(from), databaseOf(to)]
  if (source.isPostgres || !target.isPostgres)
    throw new CliError('Copy from a SQLite file to a postgresql:// address: --from data/shop.db --to postgresql://…')
  if (!existsSync(source.place)) throw new CliError(`There is no database ${source.shown}.`)
  const { tables, before, after } = await carried(source, target)
  const lines = tables.map(({ table, rows }) => `${String(rows).padStart(10)}  ${table}\n`)
  printOut(`${lines.join('')}The trail of ${before.entries} entries verifies before and after: ${after.root}\n`)
  printOut(
    `Start the service with SVC_DATABASE=${target.shown}, and keep ${source.shown} until it has run for a while.\n`,
  )
  return EXIT.ok
}

async function carried(source: Database, target: Database) {
  const [{ openSqliteSource }, { carryToPostgres }] = await Promise.all([
    import('../../runtime/storage/sqlite/index.js'),
    import('../../runtime/storage/postgres/index.js'),
  ])
  const opened = await openSqliteSource(source.place).catch((error: unknown) => explain(source, error))
  try {
    return await carryToPostgres({ connectionString: target.place }, opened).catch((error: unknown) =>
      explain(target, error),
    )
  } finally {
    opened.close()
  }
}

function explain(database: Database, error: unknown): never {
  if (error instanceof NotCarried) throw new CliError(`${error.message} Nothing was written.`)
  if (error instanceof SchemaMismatch) throw new CliError(`${database.shown}: ${error.message}`)
  return explainDatabase(database, error)
}
