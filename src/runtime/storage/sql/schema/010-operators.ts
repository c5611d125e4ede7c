import type { Migration } from './migration.js'

/** Column of a token -> where its claims, or what bought it, say it. */
const SAID = [
  ['root_principal', 'claims', 'root_principal'],
  ['subject', 'claims', 'sub'],
  ['capability', 'claims', 'capability'],
  ['api_key', 'credential', 'api_key'],
] as const

const INDEXES = SAID.map(
  ([column]) => `create index tokens_by_${column} on tokens (${column}, token_id) where ${column} is not null`,
)

/** Finds tokens by whom and what they are for; keeps who is blocked and what is paused. */
export const operators: Migration = {
  version: 10,
  name: 'operators',
  statements: [
    `create table blocks (
      block_id text primary key, kind text not null, value text not null, reason text not null, created_by text not null,
      created_at bigint not null, lifted_by text, lifted_at bigint)`,
    'create unique index active_blocks on blocks (kind, value) where lifted_at is null',
    'create index blocks_by_age on blocks (created_at, block_id)',
    `create table paused_capabilities (
      capability text primary key, reason text not null, paused_by text not null, paused_at bigint not null)`,
  ],
  sqlite: [
    ...SAID.map(
      ([column, source, member]) =>
        `alter table tokens add column ${column} text generated always as (json_extract(${source}, ` +
        `'$.${member}')) virtual`,
    ),
    ...INDEXES,
  ],
  postgres: [
    ...SAID.map(
      ([column, source, member]) =>
        `alter table tokens add column ${column} text generated always as (${source}::json->>'${member}') stored`,
    ),
    ...INDEXES,
  ],
}
