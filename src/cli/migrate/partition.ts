/** `svc migrate partition`: the entries of a long trail in parts of one size (docs/guides/grow.md). */
import type { Partition } from '../../runtime/storage/postgres/index.js'
import { CliError, EXIT } from '../shared/errors/cli-error.js'
import { databaseOf, explainDatabase, type Database } from '../shared/database.js'
import { interruption } from './interruption.js'
import type { PartitionOptions } from './options.js'
import { printError, printOut } from '../shared/output/print.js'

const FEWEST = 1000

/** Sees that the entries to come have a partition, and prints all of them. */
export async function partition({ database: place, every }: PartitionOptions): Promise<number> {
  const size = Number(every)
  if (!Number.isSafeInteger(size) || size < FEWEST)
    throw new CliError(`A partition takes ${FEWEST} entries or more; "${every}" is no such number.`)
  const database = databaseOf(place)
  if (!database.isPostgres) throw new CliError('Only PostgreSQL has partitions; name a postgresql:// address.')
  await refusePending(database)
  const { signal, exitCode, forget } = interruption()
  try {
    printOut((await extended(database, size, signal)).map(lineOf).join(''))
    return EXIT.ok
  } catch (error) {
    const code = exitCode()
    if (code === undefined || !(error instanceof Error)) throw error
    printError(`svc: ${error.message}\n`)
    return code
  } finally {
    forget()
  }
}

async function refusePending(database: Database): Promise<void> {
  const { openPostgresSchema } = await import('../../runtime/storage/postgres/index.js')
  const explain = (error: unknown): never => explainDatabase(database, error)
  const schema = await openPostgresSchema({ connectionString: database.place }).catch(explain)
  const { pending } = await schema.status().finally(() => schema.close())
  if (pending.length > 0) throw new CliError('The schema is not that of this version. Run first: svc migrate up')
}

async function extended(database: Database, size: number, signal: AbortSignal): Promise<readonly Partition[]> {
  const { NotPartitioned, openPostgresPartitions } = await import('../../runtime/storage/postgres/index.js')
  const explain = (error: unknown): never => {
    if (error instanceof NotPartitioned) throw new CliError(error.message)
    return explainDatabase(database, error)
  }
  const partitions = await openPostgresPartitions({ connectionString: database.place }).catch(explain)
  return partitions
    .extend(size, signal)
    .catch(explain)
    .finally(() => partitions.close())
}

const lineOf = ({ name, from, to, since, bytes }: Partition): string =>
  `${`${from}-${to ?? ''}`.padEnd(24)}${since === null ? 'empty'.padEnd(26) : `from ${new Date(since).toISOString().slice(0, 19)}Z `}${megabytes(bytes)}  ${name}\n`

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`.padStart(12)
