import type { Migration } from './migration.js'

/**
 * Each approval of a request that needs several: a row, until the request goes. How many count, and the scope of the
 * tier, stand in the request.
 */
export const quorum: Migration = {
  version: 13,
  name: 'quorum',
  statements: [
    'alter table approval_requests add column approvals bigint not null default 0',
    'alter table approval_requests add column approver_scope text',
    `create index pending_by_tier on approval_requests (approver_scope)
      where status = 'pending' and approver_scope is not null`,
    `create table approvals_given (
      approval_request_id text not null, approver text not null, body text not null, given_at bigint not null,
      primary key (approval_request_id, approver))`,
  ],
  sqlite: [],
  postgres: [],
}
