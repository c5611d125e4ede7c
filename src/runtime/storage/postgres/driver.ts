/** The package `pg`, which a service installs beside svc-kit when its storage is PostgreSQL. */
import type pg from 'pg'
import { StorageUnavailable } from '../contract.js'

export type PgDriver = typeof pg

const MISSING = 'PostgreSQL needs the package pg beside svc-kit. Install it with: npm install pg'

/**
 * Loads the package. It is imported here and not at the top, so that a process without it can say so in one sentence.
 */
export async function loadDriver(): Promise<PgDriver> {
  try {
    return (await import('pg')).default
  } catch (error) {
    throw isMissing(error) ? new StorageUnavailable(MISSING, { cause: error }) : error
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'ERR_MODULE_NOT_FOUND' &&
  error.message.includes(`package 'pg'`)
