import type { Json, JsonObject } from '../../../protocol/manifest.js'
import type { OidcOptions } from './options.js'

/** Types of access and ID tokens; everything else (logout tokens, DPoP proofs, ...) is for something else. */
const TYPES = { access: ['at+jwt', 'application/at+jwt', 'jwt', undefined], id: ['jwt', undefined] } as const

/** Claims by which providers tell the kind of a token, as Keycloak and Cognito do, and the kinds that count. */
const KIND_CLAIMS = ['typ', 'token_use', 'token_type'] as const
const KINDS = {
  access: ['bearer', 'access', 'access_token', 'at+jwt', 'application/at+jwt', 'jwt'],
  id: ['id', 'id_token', 'jwt'],
} as const

/** Members that only ID tokens have, and none that an access token has (OpenID Connect Core, section 2). */
const ID_TOKEN_MEMBERS = ['at_hash', 'c_hash', 's_hash'] as const

/**
 * Members of tokens for something else: a logout, a proof of possession, and a token that is bound to a key, whose
 * proof nobody checks here (RFC 7800).
 */
const OTHERS_MEMBERS = ['events', 'htm', 'cnf'] as const

/** Returns the claim that makes a token one of another kind than counts (section 5.6); undefined where none does. */
export function otherKind(
  { tokens = 'access' }: Pick<OidcOptions, 'tokens'>,
  claims: JsonObject,
  typ: string | undefined,
): string | undefined {
  const types: readonly (string | undefined)[] = TYPES[tokens]
  if (!types.includes(typ?.toLowerCase())) return 'typ'
  const kinds: readonly Json[] = KINDS[tokens]
  const told = KIND_CLAIMS.find((name) => Object.hasOwn(claims, name) && !kinds.includes(folded(claims[name]!)))
  return told ?? firstOf(claims, OTHERS_MEMBERS) ?? (tokens === 'access' ? idTokenMember(claims, typ) : undefined)
}

/**
 * Returns the member of an ID token among access tokens. Keycloak writes the nonce of the sign-in into access tokens,
 * too, and says in the payload which is which.
 */
const idTokenMember = (claims: JsonObject, typ: string | undefined): string | undefined =>
  firstOf(claims, ID_TOKEN_MEMBERS) ??
  (Object.hasOwn(claims, 'nonce') && !isDeclaredAccess(claims, typ) ? 'nonce' : undefined)

const folded = (value: Json): Json => (typeof value === 'string' ? value.toLowerCase() : value)

const isDeclaredAccess = (claims: JsonObject, typ: string | undefined): boolean =>
  typ?.toLowerCase().endsWith('at+jwt') === true || claims['typ'] === 'Bearer'

const firstOf = (claims: JsonObject, names: readonly string[]): string | undefined =>
  names.find((name) => Object.hasOwn(claims, name))
