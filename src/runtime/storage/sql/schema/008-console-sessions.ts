import type { Migration } from './migration.js'

/** Who is signed in to the console: the hash of the cookie, never the cookie. */
export const consoleSessions: Migration = {
  version: 8,
  name: 'console sessions',
  statements: [
    `create table console_sessions (
      hash text primary key, principal text not null, api_key text, credential text not null, entitled text not null,
      began_at bigint not null, idle_at bigint not null, expires_at bigint not null)`,
    'create index console_sessions_by_principal on console_sessions (principal)',
    'create index console_sessions_by_key on console_sessions (api_key) where api_key is not null',
    'create index console_sessions_by_expiry on console_sessions (expires_at)',
  ],
  sqlite: [],
  postgres: [],
}
