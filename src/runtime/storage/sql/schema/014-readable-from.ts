import type { Migration } from './migration.js'

/** Each migration says from which version of the schema on code may use the database once it is applied. */
export const readableFrom: Migration = {
  version: 14,
  name: 'readable-from',
  readableFrom: 14,
  statements: ['alter table schema_migrations add column readable_from bigint'],
  sqlite: [],
  postgres: [],
}
