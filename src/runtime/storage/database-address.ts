const LIBPQ = /(?:^|\s)(?:host|hostaddr|port|dbname|user|password|passfile|service|sslmode)\s*=/iu

/** Holds for `host=… password=…`, which names no file and must not be shown. */
export const isLibpqString = (place: string): boolean => LIBPQ.test(place)

/** What is wrong with such a name. It is not repeated: it may hold a password. */
export const LIBPQ_REFUSED =
  'A database is a SQLite file or a postgresql:// address, not host=… pairs. Write it as ' +
  'postgresql://user:password@host:5432/name.'

const SCHEME = /^\s*([a-z][a-z0-9+.-]+):/iu

/** The scheme of what begins like an address, in lower case; a path has none, and neither has `C:\`. */
export const schemeOf = (place: string): string | undefined => SCHEME.exec(place)?.[1]?.toLowerCase()

export const isPostgresAddress = (place: string): boolean => /^postgres(?:ql)?:\/\//iu.test(place)

/** Returns a place as messages repeat it: only what can be nothing but a path, and holds no password. */
export const shownPlace = (place: string): string =>
  /^[\p{L}\p{N}_ .,/\\:~+-]+$/u.test(place) ? place : 'that is named'

/** What to say of a place that is no address of a PostgreSQL server. Only what looks like a path is repeated. */
export const noAddress = (place: string): string =>
  `The storage of this service is PostgreSQL, and ${/^[\w./\\-]+$/u.test(place) ? place : 'its database'} is no ` +
  'postgresql:// address. Write it as postgresql://user:password@host:5432/name.'

/** What to say of an address where a file is expected. */
export const noFile = (scheme: string): string =>
  `The storage of this service is a SQLite file, and ${scheme}:// begins an address. ` +
  `Name a path, as data/service.db${scheme.startsWith('postgres') ? ', or open the address with openPostgres' : ''}.`
