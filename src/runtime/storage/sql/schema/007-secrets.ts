import type { Migration } from './migration.js'

/** Random keys that all replicas of a service share: made once, by whoever needs one first. */
export const secrets: Migration = {
  version: 7,
  name: 'secrets',
  statements: ['create table secrets (name text primary key, value text not null, made_at bigint not null)'],
  sqlite: [],
  postgres: [],
}
