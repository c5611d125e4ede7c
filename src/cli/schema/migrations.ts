import { closed, flagSchema, listOf, textSchema, time, version } from '../../compiler/report/closed.js'

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

/** The shape of what `svc migrate up --json` prints. */
export const MIGRATION_RUN = closed('What was done to a database.', {
  version,
  applied: listOf('What was applied, in order; empty when the schema was current.', migration),
  dry_run: flagSchema('Whether all of it was undone again.'),
})
