import { encodeBase64url } from '../json/base64url.js'
import { headerFor, isSignedBy, kidOf, segmentsOf } from './jws-header.js'
import type { RingKey } from '../keys/key-ring.js'
import type { Signer } from '../keys/signer.js'

/**
 * Signs bytes as a detached compact JWS (RFC 7515, appendix F): `header..signature`. The header is `{alg: ES256, kid}`;
 * the payload is exactly the given bytes and is not in the text.
 */
export async function signDetached(signer: Signer, payload: Uint8Array): Promise<string> {
  const header = headerFor(signer.kid)
  const signature = await signer.sign(Buffer.from(`${header}.${encodeBase64url(payload)}`, 'latin1'))
  return `${header}..${encodeBase64url(signature)}`
}

/** Verifies detached signatures; the command line hands in one whose word jose confirms. */
export type VerifyDetached = typeof verifyDetached

/**
 * Verifies a detached compact JWS over the payload and gives the id of the key that signed it; undefined for everything
 * else: another algorithm, a header member that we do not write, a payload that is not detached, a key that was not
 * given.
 */
export function verifyDetached(
  jws: string,
  payload: Uint8Array,
  keys: readonly RingKey[],
): { readonly kid: string } | undefined {
  const segments = segmentsOf(jws)
  if (segments === undefined) return undefined
  const [header, attached, signature] = segments
  if (attached !== '') return undefined
  const kid = kidOf(header)
  if (kid === undefined || !isSignedBy(kid, keys, `${header}.${encodeBase64url(payload)}`, signature)) return undefined
  return { kid }
}
