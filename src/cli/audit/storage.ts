import { existsSync } from 'node:fs'
import type { Storage } from '../../runtime/storage/contract.js'
import { StorageUnavailable } from '../../runtime/storage/contract.js'
import { SchemaMismatch } from '../../runtime/storage/sql/migrate.js'
import { CliError } from '../cli-error.js'

/** Opens an existing database of a service. */
export async function openDatabase(given: string | undefined): Promise<Storage> {
  const place = given ?? process.env['SVC_DATABASE'] ?? ''
  if (place === '')
    throw new CliError('Name the database: --database <file or postgresql:// address>, or set SVC_DATABASE.')
  return open(place).catch((error: unknown) => {
    if (error instanceof SchemaMismatch || error instanceof StorageUnavailable)
      throw new CliError(`The database ${withoutPassword(place)} cannot be used. ${error.message}`)
    throw error
  })
}

async function open(place: string): Promise<Storage> {
  if (!/^postgres(?:ql)?:\/\//u.test(place)) {
    if (!existsSync(place)) throw new CliError(`There is no database ${place}.`)
    return (await import('../../runtime/storage/sqlite/index.js')).openSqlite({ file: place })
  }
  const postgres = await import('../../runtime/storage/postgres/index.js').catch(() => undefined)
  if (postgres === undefined) throw new CliError('PostgreSQL needs the package pg beside svc-kit. Run: npm install pg')
  return postgres.openPostgres({ connectionString: place, connections: 1 })
}

const withoutPassword = (place: string): string => place.replace(/\/\/[^@/]*@/u, '//')
