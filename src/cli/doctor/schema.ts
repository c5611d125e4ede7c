import { databaseOf, explainDatabase, type Database } from '../shared/database.js'
import { serviceSetting } from '../shared/files/service-setting.js'
import { fine, wrong, type Examination } from './examination.js'

/**
 * Whether a database on a server answers, has the schema of this version, and no change of it is half made. A file gets
 * its schema from the service that opens it.
 */
export const schemaIsWhole: Examination = {
  name: 'schema',
  of: async (root) => {
    const place = serviceSetting(root, 'SVC_DATABASE') ?? ''
    if (place === '') return undefined
    const database = databaseOf(place)
    if (!database.isPostgres) return undefined
    const { withSchema } = await import('../migrate/run.js')
    const { pending } = await withSchema(database, (schema) => schema.status())
    if (pending.length > 0)
      return wrong(`Migrations are pending: ${pending.map(({ name }) => name).join(', ')}.`, 'Run: svc migrate up')
    const end = await endAnnounced(database)
    if (end instanceof Error) return wrong(end.message, 'Then run as the owner of the schema: svc migrate partition')
    return end === undefined
      ? fine('is that of this version')
      : wrong(
          `svc migrate partition was interrupted: from entry ${end} on, none could be written.`,
          'Run as the owner of the schema: svc migrate partition',
        )
  },
}

/** Where entries will find no place, or why nobody can say. */
async function endAnnounced(database: Database): Promise<number | Error | undefined> {
  const { NotPartitioned, openPostgresPartitions } = await import('../../runtime/storage/postgres/index.js')
  const explain = (error: unknown): never => explainDatabase(database, error)
  const partitions = await openPostgresPartitions({ connectionString: database.place }).catch(explain)
  return partitions
    .announced()
    .catch((error: unknown) => (error instanceof NotPartitioned ? error : explain(error)))
    .finally(() => partitions.close())
}
