import type { Migration } from './migration.js'

/**
 * Rows that give authority carry a MAC in the text that they hold (`runtime/rows`). Code of before would send it along,
 * and write rows without one.
 */
export const authenticatedRows: Migration = {
  version: 16,
  name: 'authenticated rows',
  readableFrom: 16,
  statements: [],
  sqlite: [],
  postgres: [],
}
