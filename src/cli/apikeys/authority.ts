import { isRole, ROLES, type Role } from '../../protocol/roles.js'
import { CliError } from '../shared/errors/cli-error.js'
import { refuseUnknownScopes } from './scopes.js'

export interface KeyAuthorityOptions {
  readonly scope?: readonly string[]
  readonly scopes?: boolean
  readonly role?: readonly string[]
}

/** Members of an entry that bound its key. */
export interface KeyAuthority {
  readonly scopes: readonly string[]
  readonly roles?: readonly Role[]
}

/** Returns the scopes and roles that the options name; undefined where they name none. */
export async function chosenAuthority({ scope, scopes, role }: KeyAuthorityOptions): Promise<KeyAuthority | undefined> {
  if (scopes === false && scope !== undefined) throw new CliError('--no-scopes and --scope exclude each other.')
  if (scopes !== false && scope === undefined && role === undefined) return undefined
  const unknown = role?.find((each) => !isRole(each))
  if (unknown !== undefined)
    throw new CliError(`There is no role ${JSON.stringify(unknown)}. There are ${ROLES.join(', ')}.`)
  const named = scope ?? []
  await refuseUnknownScopes(named)
  return { scopes: named, ...(role === undefined ? {} : { roles: role.filter((each) => isRole(each)) }) }
}
