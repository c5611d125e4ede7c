import type { Migration } from './migration.js'

/** What a call needs to go on under its grant: whose session and task it was, and which invocation spent the grant. */
export const continuations: Migration = {
  version: 4,
  name: 'continuations',
  statements: [
    'alter table approval_requests add column session_id text',
    'alter table approval_requests add column task_id text',
    'create index requests_by_call on approval_requests (root_principal, capability, digest, created_at)',
    'alter table approval_grants add column spent_by text',
    'alter table approval_grants add column spent_at bigint',
  ],
  sqlite: [],
  postgres: [],
}
