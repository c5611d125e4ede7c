import { closed, countSchema, flagSchema, listOf, textSchema, time, version } from '../../compiler/report/closed.js'

const named = {
  version: { description: 'The number of the migration, from 1.', type: 'integer', minimum: 1 },
  name: textSchema('What it is called.'),
} as const
const migration = closed('A migration.', named)

/** The shape of what `svc migrate status --json` prints. */
export const MIGRATION_STATUS = closed('What was applied to a database, and what this version of svc would apply.', {
  version,
  applied: listOf(
    'What was applied, in order.',
    closed('A migration.', { ...named, applied_at: time("When, by the database's clock.") }),
  ),
  pending: listOf('What would be applied, in order; empty when the schema is current.', migration),
})

/** The shape of what `svc migrate clock --json` prints. */
export const DATABASE_CLOCK = closed(
  'What the clock of a database says, and whether the service believes it.',
  { version, now: time('What it says.') },
  {
    confirmed_at: time('When it was believed last.'),
    doubted: closed('Why nothing is swept or erased.', {
      ahead_of: time('The last time that was vouched for, of which the clock was ahead.'),
      waited_ms: countSchema('How long processes have run since, in ms.'),
    }),
  },
)

/** The shape of what `svc migrate up --json` prints. */
export const MIGRATION_RUN = closed('What was done to a database.', {
  version,
  applied: listOf('What was applied, in order; empty when the schema was current.', migration),
  dry_run: flagSchema('Whether all of it was undone again.'),
})
