import { closed, countSchema, flagSchema, listOf, textSchema, time, version } from '../../compiler/report/closed.js'

const named = {
  version: { description: 'The number of the migration, from 1.', type: 'integer', minimum: 1 },
  name: textSchema('Name of the migration.'),
} as const
const migration = closed('A migration.', named)

/** The shape of what `svc migrate status --json` prints. */
export const MIGRATION_STATUS = closed(
  'Migrations applied to a database, and those that this version of svc would apply.',
  {
    version,
    applied: listOf(
      'Applied migrations, in order.',
      closed('A migration.', { ...named, applied_at: time("When, by the database's clock.") }),
    ),
    pending: listOf('Pending migrations, in order; empty if the schema is current.', migration),
  },
)

/** The shape of what `svc migrate clock --json` prints. */
export const DATABASE_CLOCK = closed(
  'Clock of a database, and whether the service trusts it.',
  { version, now: time('Time of the clock.') },
  {
    confirmed_at: time('Last confirmed time.'),
    doubted: closed('Why nothing is swept or erased.', {
      ahead_of: time('The last time that was vouched for, of which the clock was ahead.'),
      waited_ms: countSchema('Running time of processes since then, in ms.'),
    }),
  },
)

/** The shape of what `svc migrate up --json` prints. */
export const MIGRATION_RUN = closed('Changes of a database.', {
  version,
  applied: listOf('Applied migrations, in order; empty if the schema was current.', migration),
  dry_run: flagSchema('True if all changes were rolled back.'),
})
