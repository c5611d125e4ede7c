import type { Migration } from './migration.js'

/** MACs of rows that take authority away, which are compared with the trail, and of what was decided about a request. */
export const authenticatedDecisions: Migration = {
  version: 17,
  name: 'authenticated decisions',
  readableFrom: 16,
  statements: [
    'alter table blocks add column mac text',
    'alter table paused_capabilities add column mac text',
    'alter table accounts add column mac text',
    'alter table resolutions add column mac text',
    'alter table approval_requests add column decided_mac text',
  ],
  sqlite: [],
  postgres: [],
}
