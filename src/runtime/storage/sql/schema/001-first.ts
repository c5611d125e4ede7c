import type { Migration } from './migration.js'

/** What finds an entry by its query columns. Never changed: two migrations make them. */
export const AUDIT_INDEXES: readonly string[] = [
  'create unique index audit_by_invocation on audit_index (invocation_id) where invocation_id is not null',
  'create index audit_by_root on audit_index (root_principal, recorded_at, sequence)',
  'create index audit_by_root_and_capability on audit_index (root_principal, capability, recorded_at, sequence)',
  'create index audit_failures_by_root on audit_index (root_principal, recorded_at, sequence) where success = 0',
  'create index audit_by_capability on audit_index (capability, recorded_at)',
  `create index audit_by_reference on audit_index (client_reference_id, recorded_at, sequence)
      where client_reference_id is not null`,
  'create index audit_by_task on audit_index (task_id, recorded_at, sequence) where task_id is not null',
  `create index audit_by_parent on audit_index (parent_invocation_id, recorded_at, sequence)
      where parent_invocation_id is not null`,
  `create index audit_by_request on audit_index (approval_request_id, recorded_at, sequence)
      where approval_request_id is not null`,
]

/** Keeps entries as they are. Never changed: two migrations make them. */
export const TRIGGERS_OF_SQLITE: readonly string[] = [
  `create trigger audit_entries_are_kept before delete on audit_entries
      begin select raise(abort, 'The audit trail is append-only.'); end`,
  `create trigger audit_entries_are_fixed before update on audit_entries
      when new.sequence <> old.sequence or new.hashes <> old.hashes or new.text is not null
      begin select raise(abort, 'The audit trail is append-only.'); end`,
]

/** The first schema. Times are ms since the epoch; `bigint`, `text` and `bytea` mean the same to every engine. */
export const first: Migration = {
  version: 1,
  name: 'first',
  statements: [
    'create table readiness (id bigint primary key, touched_at bigint not null)',
    'insert into readiness (id, touched_at) values (1, 0)',

    'create table invocation_blocks (id bigint primary key, given bigint not null)',
    'insert into invocation_blocks (id, given) values (1, 0)',

    `create table tokens (
      token_id text primary key, parent_token_id text, depth bigint not null, claims text not null,
      expires_at bigint not null, revoked_at bigint)`,
    'create index tokens_by_parent on tokens (parent_token_id) where parent_token_id is not null',
    'create index tokens_by_expiry on tokens (expires_at)',

    `create table approval_requesters (
      subject text not null, root_principal text not null, opened bigint not null,
      primary key (subject, root_principal))`,
    `create table approval_requests (
      approval_request_id text primary key, capability text not null, subject text not null, root_principal text not null,
      digest text not null, body text not null, created_at bigint not null, expires_at bigint not null,
      status text not null, approver text, decided_at text, reason text)`,
    `create unique index one_pending_request on approval_requests (subject, root_principal, capability, digest)
      where status = 'pending'`,
    'create index requests_by_capability on approval_requests (capability, created_at, approval_request_id)',
    'create index requests_by_root on approval_requests (root_principal, created_at, approval_request_id)',
    'create index requests_by_age on approval_requests (created_at, approval_request_id)',
    'create index requests_by_expiry on approval_requests (expires_at)',
    `create table approval_grants (
      grant_id text primary key, approval_request_id text not null unique references approval_requests,
      body text not null, max_uses bigint not null, uses bigint not null check (uses <= max_uses),
      expires_at bigint not null)`,

    'create table leases (lease_key text primary key, owner text not null, expires_at bigint not null)',
    'create index leases_by_expiry on leases (expires_at)',

    'create table ledger (token_id text primary key, spent bigint not null)',
    `create table holds (
      hold_id text not null, token_id text not null, position bigint not null, units bigint not null,
      primary key (hold_id, token_id))`,
    'create index holds_by_token on holds (token_id)',

    'create table bindings (binding_id text primary key, body text not null, expires_at bigint)',
    'create index bindings_by_expiry on bindings (expires_at) where expires_at is not null',

    `create table idempotency (
      subject text not null, capability text not null, idempotency_key text not null, digest text not null,
      invocation_id text not null, expires_at bigint not null, claimed_at bigint not null, status bigint, body text,
      primary key (subject, capability, idempotency_key))`,
    'create index idempotency_by_expiry on idempotency (expires_at)',

    `create table intents (
      invocation_id text primary key, owner text not null, body text not null, started_at bigint not null)`,
    'create index intents_by_owner on intents (owner)',

    'create table audit_head (id bigint primary key, size bigint not null, frontier bytea)',
    'insert into audit_head (id, size) values (1, 0)',
    'create table audit_entries (sequence bigint primary key, text text, hashes bytea not null)',
    `create table audit_index (
      sequence bigint primary key, invocation_id text, recorded_at bigint not null, root_principal text, capability text,
      event_class text, success bigint, client_reference_id text, task_id text, parent_invocation_id text,
      approval_request_id text)`,
    ...AUDIT_INDEXES,

    `create table checkpoints (
      sequence bigint primary key, checkpoint_id text not null unique, entry_count bigint not null, body text not null)`,
  ],
  sqlite: TRIGGERS_OF_SQLITE,
  postgres: [
    `create function refuse_change() returns trigger language plpgsql as
      'begin raise exception ''The audit trail is append-only.''; end'`,
    `create trigger audit_entries_are_kept before delete on audit_entries
      for each row execute function refuse_change()`,
    `create trigger audit_entries_are_fixed before update on audit_entries for each row
      when (new.sequence <> old.sequence or new.hashes <> old.hashes or new.text is not null)
      execute function refuse_change()`,
  ],
}
