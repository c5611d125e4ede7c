import type { Migration } from './migration.js'

const COLUMNS = `
  event_id text not null, target text not null, type text not null, subject text not null, body text not null,
  state text not null, attempts bigint not null, queued_at bigint not null, due_at bigint not null, ended_at bigint,
  expires_at bigint, last_error text`

/** The outbox: one row for each event and target, written in the transaction of what it reports. */
export const events: Migration = {
  version: 11,
  name: 'events',
  statements: [],
  sqlite: [
    `create table event_deliveries (sequence integer primary key autoincrement, ${COLUMNS})`,
    'create unique index deliveries_by_event on event_deliveries (event_id, target)',
    `create index pending_deliveries on event_deliveries (target, sequence) where state = 'pending'`,
    `create index pending_by_subject on event_deliveries (target, subject, sequence) where state = 'pending'`,
    'create index deliveries_by_expiry on event_deliveries (expires_at) where expires_at is not null',
  ],
  postgres: [
    `create table event_deliveries (sequence bigint generated always as identity primary key, ${COLUMNS})`,
    'create unique index deliveries_by_event on event_deliveries (event_id, target)',
    `create index pending_deliveries on event_deliveries (target, sequence) where state = 'pending'`,
    `create index pending_by_subject on event_deliveries (target, subject, sequence) where state = 'pending'`,
    'create index deliveries_by_expiry on event_deliveries (expires_at) where expires_at is not null',
  ],
}
