import type { Migration } from './migration.js'

/**
 * Which credential stood behind a token or a decision, who is known by several names, and what is pending by root and
 * by chain.
 */
export const identity: Migration = {
  version: 6,
  name: 'identity',
  statements: [
    'alter table tokens add column credential text',
    `create table accounts (
      issuer text not null, subject text not null, principal text not null, primary key (issuer, subject, principal))`,
    'create index accounts_by_principal on accounts (principal)',
    'alter table approval_requests add column credential text',
    'alter table approval_requests add column root_token_id text',
    `create index pending_by_root on approval_requests (root_principal) where status = 'pending'`,
    `create index pending_by_capability on approval_requests (capability) where status = 'pending'`,
    'alter table approval_grants add column revoked_at bigint',
  ],
  sqlite: [],
  postgres: [],
}
