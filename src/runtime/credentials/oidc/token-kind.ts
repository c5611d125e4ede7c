import type { JsonObject } from '../../../protocol/manifest.js'
import type { OidcOptions } from './options.js'

/** Types of access and ID tokens; everything else (logout tokens, DPoP proofs, ...) is for something else. */
const TYPES = { access: ['at+jwt', 'application/at+jwt', 'jwt', undefined], id: ['jwt', undefined] } as const

/** Members that only ID tokens have, and none that an access token has (OpenID Connect Core, section 2). */
const ID_TOKEN_MEMBERS = ['at_hash', 'c_hash', 's_hash'] as const

/**
 * Members of tokens for something else: a logout, a proof of possession, and a token that is bound to a key, whose
 * proof nobody checks here (RFC 7800).
 */
const OTHERS_MEMBERS = ['events', 'htm', 'cnf'] as const

/** Holds for the kind of token that counts (section 5.6). */
export function isOfItsKind(
  { tokens = 'access' }: Pick<OidcOptions, 'tokens'>,
  claims: JsonObject,
  typ: string | undefined,
): boolean {
  const types: readonly (string | undefined)[] = TYPES[tokens]
  if (!types.includes(typ?.toLowerCase()) || hasAny(claims, OTHERS_MEMBERS)) return false
  return tokens !== 'access' || !isIdToken(claims, typ)
}

/**
 * Holds for an ID token among access tokens. Keycloak writes the nonce of the sign-in into access tokens, too, and says
 * in the payload which is which.
 */
const isIdToken = (claims: JsonObject, typ: string | undefined): boolean =>
  hasAny(claims, ID_TOKEN_MEMBERS) || (Object.hasOwn(claims, 'nonce') && !isDeclaredAccess(claims, typ))

const isDeclaredAccess = (claims: JsonObject, typ: string | undefined): boolean =>
  typ?.toLowerCase().endsWith('at+jwt') === true || claims['typ'] === 'Bearer'

const hasAny = (claims: JsonObject, names: readonly string[]): boolean =>
  names.some((name) => Object.hasOwn(claims, name))
