import { existsSync } from 'node:fs'
import type { Storage } from '../../runtime/storage/contract.js'
import { SchemaMismatch } from '../../runtime/storage/sql/migrate.js'
import { CliError } from '../shared/errors/cli-error.js'
import { databaseOf, explainDatabase, type Database } from '../shared/database.js'

/** Opens an existing database of a service. */
export async function openDatabase(given: string | undefined): Promise<Storage> {
  const database = databaseOf(given)
  return open(database).catch((error: unknown) => {
    if (error instanceof SchemaMismatch)
      throw new CliError(`The database ${database.shown} cannot be used. ${error.message}`)
    return explainDatabase(database, error)
  })
}

async function open({ place, shown, isPostgres }: Database): Promise<Storage> {
  if (!isPostgres) {
    if (!existsSync(place)) throw new CliError(`There is no database ${shown}.`)
    return (await import('../../runtime/storage/sqlite/index.js')).openSqlite({ file: place })
  }
  const postgres = await import('../../runtime/storage/postgres/index.js')
  return postgres.openPostgres({ connectionString: place, connections: 1 })
}
