import type { Migration } from './migration.js'

/** Rates that all replicas share; and when a requester last asked, so that its row can go. */
export const rates: Migration = {
  version: 2,
  name: 'rates',
  statements: [
    `create table rates (
      name text primary key, spacing bigint not null, asked_at bigint not null, given bigint not null,
      full_at bigint not null)`,
    'create index rates_by_fullness on rates (full_at)',
    'alter table approval_requesters add column touched_at bigint not null default 0',
    'create index requesters_by_age on approval_requesters (touched_at)',
  ],
  sqlite: [],
  postgres: [],
}
