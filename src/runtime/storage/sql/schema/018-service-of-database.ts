import type { Migration } from './migration.js'

/** The service that a database belongs to, written by its first start. */
export const serviceOfDatabase: Migration = {
  version: 18,
  name: 'service of database',
  readableFrom: 16,
  statements: ['alter table readiness add column service_id text'],
  sqlite: [],
  postgres: [],
}
