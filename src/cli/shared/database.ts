import { parsedAddress } from '../../protocol/address.js'
import { StorageUnavailable } from '../../runtime/storage/contract.js'
import {
  isLibpqString,
  isPostgresAddress,
  LIBPQ_REFUSED,
  schemeOf,
  shownPlace,
} from '../../runtime/storage/database-address.js'
import { CliError } from './errors/cli-error.js'

/** Database of a service, and its address without the password. */
export interface Database {
  readonly place: string
  readonly shown: string
  readonly isPostgres: boolean
}

/** The database that an option names, or else the environment. */
export function databaseOf(given: string | undefined): Database {
  const place = given ?? process.env['SVC_DATABASE'] ?? ''
  if (place === '')
    throw new CliError('Name the database: --database <file or postgresql:// address>, or set SVC_DATABASE.')
  if (isLibpqString(place)) throw new CliError(LIBPQ_REFUSED)
  const scheme = schemeOf(place)
  if (scheme === undefined) return { place, shown: shownPlace(place), isPostgres: false }
  if (!isPostgresAddress(place))
    throw new CliError(`A database is a SQLite file or a postgresql:// address; ${scheme}:// is neither.`)
  return { place, shown: withoutSecrets(place), isPostgres: true }
}

/**
 * The server and the name of a database. What its user and password are is known of an address that reads as one; of
 * another one any part may be a password.
 */
function withoutSecrets(address: string): string {
  const url = parsedAddress(address)
  const hidden = 'postgresql://…'
  if (url === undefined || (address.includes('@') && url.username === '' && url.password === '')) return hidden
  return url.pathname.includes('@') ? hidden : `${url.protocol}//${url.host}${url.pathname}`
}

/** Says why a database cannot be used; anything else is thrown on. */
export function explainDatabase({ shown }: Database, error: unknown): never {
  const cause = error instanceof StorageUnavailable ? error.cause : error
  if (cause instanceof TypeError && 'code' in cause && cause.code === 'ERR_INVALID_URL')
    throw new CliError(
      `The address ${shown} cannot be read. Escape what is special in it: / as %2F, # as %23, @ as %40.`,
    )
  if (error instanceof StorageUnavailable)
    throw new CliError(
      error.message.includes(`database ${shown} `)
        ? error.message
        : `The database ${shown} cannot be used. ${error.message}`,
    )
  throw error
}
