/** Keys as JSON (RFC 7517), read strictly: only ES256 signing keys exist here. */
import type { PrivateJwk, PublicJwk } from '../../protocol/jwk.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'
import { encodeBase64url } from '../json/base64url.js'
import { sha256 } from '../json/digest.js'
import { importPrivateKey, importPublicKey } from './es256.js'
import { isRecord } from '../json/kinds.js'

/** The RFC 7638 thumbprint of a P-256 key: base64url of SHA-256 over its required members. */
export const thumbprint = ({ kty, crv, x, y }: Pick<PublicJwk, 'kty' | 'crv' | 'x' | 'y'>): string =>
  encodeBase64url(sha256(JSON.stringify({ crv, kty, x, y })))

/** The public half as it is served: seven members, `kid` computed. */
export const publicJwkOf = ({ kty, crv, x, y }: Pick<PublicJwk, 'kty' | 'crv' | 'x' | 'y'>): PublicJwk => ({
  kty,
  crv,
  x,
  y,
  kid: thumbprint({ kty, crv, x, y }),
  use: 'sig',
  alg: 'ES256',
})

/** A public ES256 signing key, or why a JSON value is none. A `kid` that is not the thumbprint is refused. */
export function readPublicJwk(value: Json | undefined): PublicJwk | string {
  if (!isRecord(value)) return 'A key must be an object.'
  const { kty, crv, x, y, use, alg, kid } = value
  if (kty !== 'EC' || crv !== 'P-256') return 'The key is not a P-256 key (kty EC, crv P-256).'
  if (typeof x !== 'string' || typeof y !== 'string') return 'The key has no coordinates x and y.'
  if (use !== undefined && use !== 'sig') return 'The key is not for signatures (use).'
  if (alg !== undefined && alg !== 'ES256') return 'The key is not for ES256 (alg).'
  if (importPublicKey({ kty, crv, x, y }) === undefined) return 'The coordinates x and y are not a point on P-256.'
  const jwk = publicJwkOf({ kty, crv, x, y })
  if (kid !== undefined && kid !== jwk.kid) return `The kid is not the thumbprint of the key (${jwk.kid}).`
  return jwk
}

/** The public keys of a JWKS (RFC 7517, section 5), or why it is none. */
export function readJwks(value: Json | undefined): readonly PublicJwk[] | string {
  const keys = isRecord(value) ? value['keys'] : undefined
  if (!Array.isArray(keys)) return 'A JWKS must be an object with a list "keys".'
  const read = (keys as readonly Json[]).map(readPublicJwk)
  const refused = read.findIndex((key) => typeof key === 'string')
  if (refused >= 0) return `Key ${refused + 1} of the JWKS: ${String(read[refused])}`
  const jwks = read.filter((key) => typeof key !== 'string')
  if (new Set(jwks.map(({ kid }) => kid)).size < jwks.length) return 'The JWKS has the same key twice.'
  return jwks
}

/** The private members of a JSON value, or why it is no private P-256 key. */
export function readPrivateJwk(value: Json | undefined): PrivateJwk | string {
  const jwk = readPublicJwk(value)
  if (typeof jwk === 'string') return jwk
  const { d } = value as JsonObject
  if (typeof d !== 'string') return 'The key has no private part d.'
  const privateJwk: PrivateJwk = { kty: 'EC', crv: 'P-256', x: jwk.x, y: jwk.y, d }
  try {
    importPrivateKey(privateJwk)
    return privateJwk
  } catch {
    return 'The private and the public half of the key do not belong together.'
  }
}
