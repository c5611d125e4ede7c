/** `svc doctor --production` asks a PostgreSQL database for its schema. */
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { examine } from '../../src/cli/doctor/run.js'
import { schemaIsWhole } from '../../src/cli/doctor/schema.js'
import { openPostgresPartitions, openPostgresSchema } from '../../src/runtime/storage/postgres/index.js'
import { startPostgres, type PostgresServer } from '../runtime/storage/postgres-server.js'
import { runSql } from '../runtime/storage/run-sql.js'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterEach(() => vi.unstubAllEnvs())
afterAll(() => server.stop())

async function asked(database: string): Promise<string> {
  vi.stubEnv('SVC_DATABASE', database)
  let said = ''
  const output = vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((said += String(text))))
  await examine('.', [schemaIsWhole])
  output.mockRestore()
  return said
}

async function migrated(name: string): Promise<string> {
  const connectionString = await server.database(name)
  const schema = await openPostgresSchema({ connectionString })
  await schema.up()
  await schema.close()
  return connectionString
}

it.each([
  ['a file, which its service brings up to date', 'data/shop.db'],
  ['no database', ''],
])('of %s nothing is asked', async (_, database) => {
  expect(await asked(database)).toBe('Nothing stands in the way.\n')
})

it('names what is pending', async () => {
  const said = await asked(await server.database('empty'))
  expect(said).toMatch(/^error {4}schema {8}Migrations are pending: first, rates, .+\.\n {23}Run: svc migrate up\n1 to fix\.\n$/u)
}) // prettier-ignore

it('finds the schema of this version', async () => {
  expect(await asked(await migrated('whole'))).toBe(
    'ok       schema        is that of this version\nNothing stands in the way.\n',
  )
})

it('finds no fault in partitions that are whole', async () => {
  const connectionString = await migrated('parts')
  const partitions = await openPostgresPartitions({ connectionString })
  await partitions.extend(1000)
  await partitions.close()
  expect(await asked(connectionString)).toMatch(/^ok /u)
})

it('finds an end of a partition that was announced and not made', async () => {
  const connectionString = await migrated('killed')
  const partitions = await openPostgresPartitions({ connectionString })
  const last = (await partitions.extend(1000)).at(-1)!
  await partitions.close()
  const name = 'svc_migrate_partition_was_interrupted_run_it_again'
  await runSql(connectionString, `alter table ${last.name} add constraint ${name} check (sequence < 9001) not valid`)
  expect(await asked(connectionString))
    .toBe(`error    schema        svc migrate partition was interrupted: from entry 9001 on, none could be written.
                       Run as the owner of the schema: svc migrate partition
1 to fix.
`)
})

it('finds a partition that svc did not make, and goes on', async () => {
  const connectionString = await migrated('stray')
  const partitions = await openPostgresPartitions({ connectionString })
  await partitions.extend(1000)
  await partitions.close()
  await runSql(connectionString, 'create table rest partition of audit_entries default')
  const said = await asked(connectionString)
  expect(said).toMatch(/^error {4}schema {8}The partition rest \(DEFAULT\) was not made by svc migrate partition/u)
  expect(said).toMatch(/\n {23}Then run as the owner of the schema: svc migrate partition\n1 to fix\.\n$/u)
})

it('says that a database is away', async () => {
  const said = await asked('postgresql://a:hidden@127.0.0.1:1/shop')
  expect(said).toContain('The database postgresql://127.0.0.1:1/shop cannot be used.')
  expect(said).not.toContain('hidden')
})
