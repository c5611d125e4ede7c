import type { Migration } from './migration.js'

/** Accounts of people at upstream systems; what opens them is encrypted by a key that is not in the database. */
export const connectionsOfPeople: Migration = {
  version: 19,
  name: 'connections',
  readableFrom: 16,
  statements: [
    `create table connections (
      connection_id text primary key, person text not null, upstream text not null, revision bigint not null,
      body text not null, state text not null, ended_because text, renewing_by text, renewing_at bigint,
      wanted text, last_used_at bigint, last_used_by text)`,
    'create unique index connections_of_person on connections (person, upstream)',
  ],
  sqlite: [],
  postgres: [],
}
