import type { Migration } from './migration.js'

/** By whose authority a request was decided: the names of the approver's chain, so that only they take a grant back. */
export const deciders: Migration = {
  version: 9,
  name: 'deciders',
  statements: ['alter table approval_requests add column decided_by text'],
  sqlite: [],
  postgres: [],
}
