import type { Command } from 'commander'
import type { ClockOptions, CopyOptions, MigrateOptions, PartitionOptions, UpOptions } from './options.js'

/** `svc migrate`: shows or changes the schema of a service's database. */
export function registerMigrate(program: Command): void {
  const migrate = program
    .command('migrate')
    .summary('show or change the database schema')
    .description('Bring the database of a service to the schema of this version. Migrations only go forward.')
    .addHelpText('after', EXAMPLES)

  common(migrate.command('status').summary('list applied and pending migrations')).action(
    async (options: MigrateOptions) => {
      const { status } = await import('./run.js')
      process.exitCode = await status(options)
    },
  )

  common(migrate.command('up').summary('apply pending migrations, all or none'))
    .option('--dry-run', 'apply the migrations, roll back, and print the changes')
    .action(async (options: UpOptions) => {
      const { up } = await import('./run.js')
      process.exitCode = await up(options)
    })

  common(migrate.command('clock').summary('show whether the service trusts its database clock'))
    .description(
      'A service that finds the clock hours ahead of the time that was vouched for last sweeps and erases ' +
        'nothing, until it has run for as long as that. Whoever knows that the clock is right says so here; ' +
        'a service that runs reads it within a minute.',
    )
    .option('--confirm', 'confirm that the clock is right')
    .action(async (options: ClockOptions) => {
      const { clock } = await import('./clock.js')
      process.exitCode = await clock(options)
    })

  migrate
    .command('copy')
    .summary('move a stopped service from SQLite to PostgreSQL')
    .description(
      'Copy every table to an empty database, in one transaction. The audit trail is verified before and after.',
    )
    .requiredOption('--from <file>', 'the SQLite file of a service that is stopped')
    .option('--to <address>', 'an empty database, such as postgresql://…; $SVC_DATABASE by default')
    .action(async (options: CopyOptions) => {
      const { copy } = await import('./copy.js')
      process.exitCode = await copy(options)
    })

  migrate
    .command('partition')
    .summary('keep the entries of a long trail in partitions, on PostgreSQL')
    .description(
      'See that the entries to come have a partition, and that an empty one is in reserve, while replicas ' +
        'serve. The first run makes one of the table; run it again by a timer, and after granting rights.',
    )
    .option('--database <place>', 'postgresql:// address, as the owner of the schema; $SVC_DATABASE by default')
    .option('--every <entries>', 'how many entries a partition takes', '10000000')
    .action(async (options: PartitionOptions) => {
      const { partition } = await import('./partition.js')
      process.exitCode = await partition(options)
    })
}

const common = (command: Command): Command =>
  command
    .option('--database <place>', 'SQLite file or postgresql:// address; $SVC_DATABASE by default')
    .option('--json', 'print the result as JSON')

const EXAMPLES = `
Examples:
  svc migrate status --database data/shop.db
  SVC_DATABASE=postgresql://svc@db/shop svc migrate up --dry-run
  SVC_DATABASE=postgresql://svc@db/shop svc migrate up
  SVC_DATABASE=postgresql://svc@db/shop svc migrate clock --confirm
  SVC_DATABASE=postgresql://svc@db/shop svc migrate copy --from data/shop.db
  SVC_DATABASE=postgresql://owner@db/shop svc migrate partition

Exit codes: 0 the schema is current, 1 migrations are pending or the clock is doubted, 2 usage or a database that cannot be used, 3 internal error,
130 and 143 a signal interrupted svc migrate partition, which took back what was half done.
`
