const LIBPQ = /(?:^|\s)(?:host|hostaddr|port|dbname|user|password|passfile|service|sslmode)\s*=/iu

/** Holds for `host=… password=…`, which names no file and must not be shown. */
export const isLibpqString = (place: string): boolean => LIBPQ.test(place)

/** What is wrong with such a name. It is not repeated: it may hold a password. */
export const LIBPQ_REFUSED =
  'A database is a SQLite file or a postgresql:// address, not host=… pairs. Write it as postgresql://user:password@host:5432/name.'
