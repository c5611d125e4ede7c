import type { Migration } from './migration.js'

/** Invocations of unknown outcome of which somebody has said what happened: one row, whoever says it first. */
export const resolutions: Migration = {
  version: 12,
  name: 'resolutions',
  statements: ['create table resolutions (invocation_id text primary key, resolved_at bigint not null)'],
  sqlite: [],
  postgres: [],
}
