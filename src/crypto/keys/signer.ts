import type { PrivateJwk } from '../../protocol/jwk.js'
import { importPrivateKey, signEs256 } from './es256.js'
import { thumbprint } from './jwk.js'

/**
 * Signer for one key. In a process it is made from a JWK; a key management service implements the same two members.
 * `sign` returns an ES256 signature as r and s, 64 bytes (RFC 7518, section 3.4), never DER.
 */
export interface Signer {
  /** RFC 7638 thumbprint of the public key. */
  readonly kid: string
  sign(data: Uint8Array): Uint8Array | Promise<Uint8Array>
}

/** A signer in this process. Throws `TypeError` unless the key is a P-256 key whose two halves belong together. */
export function signerFromJwk(jwk: PrivateJwk): Signer {
  const key = importPrivateKey(jwk)
  return { kid: thumbprint(jwk), sign: (data) => signEs256(data, key) }
}
