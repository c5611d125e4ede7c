import { types } from 'node:util'

/** The text of an error, for the log alone: a caller never reads it. An error of user code may have none to read. */
export function reasonOf(error: unknown): string {
  try {
    const reason: unknown = error instanceof Error ? (error.stack ?? error.message) : typeof error
    return typeof reason === 'string' ? reason : UNREADABLE
  } catch {
    return UNREADABLE
  }
}

/** The name and the code of an error: its text may hold what others sent. */
export const nameAndCode = (error: unknown): string =>
  error instanceof Error ? `${error.name} ${'code' in error ? String(error.code) : ''}`.trim() : typeof error

const UNREADABLE = 'an error that cannot be read'

/**
 * Makes what user code has thrown safe to look at, so that asking for its kind runs nothing of it and says the same each
 * time: anything with a proxy among its prototypes becomes an error that says so (decisions, section 20).
 */
export const thrownBy = (error: unknown): unknown => (hasProxy(error) ? new TypeError('A proxy was thrown.') : error)

function hasProxy(value: unknown): boolean {
  for (let at = value; isObject(at); at = Object.getPrototypeOf(at) as unknown) if (types.isProxy(at)) return true
  return false
}

const isObject = (value: unknown): boolean =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'
