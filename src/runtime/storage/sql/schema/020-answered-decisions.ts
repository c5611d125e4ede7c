import type { Migration } from './migration.js'

/** The time at which a requester was first answered with the decision of a person. */
export const answeredDecisions: Migration = {
  version: 20,
  name: 'answered decisions',
  readableFrom: 16,
  statements: ['alter table approval_requests add column answered_at bigint'],
  sqlite: [],
  postgres: [],
}
