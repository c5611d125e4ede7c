/**
 * ECDSA over P-256 with SHA-256 (RFC 7518, section 3.4). Signatures are r and s, 32 bytes each; DER is never accepted.
 */
import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto'
import type { PrivateJwk, PublicJwk } from '../../protocol/jwk.js'

const SIGNATURE_BYTES = 64
const ENCODING = { dsaEncoding: 'ieee-p1363' } as const

/** The key, or undefined unless it is a point on P-256. */
export function importPublicKey({ kty, crv, x, y }: Pick<PublicJwk, 'kty' | 'crv' | 'x' | 'y'>): KeyObject | undefined {
  try {
    return createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' })
  } catch {
    return undefined
  }
}

/** Imports a private key; throws `TypeError` unless it is a P-256 key whose two halves belong together. */
export function importPrivateKey(jwk: PrivateJwk): KeyObject {
  const { kty, crv, x, y, d } = jwk
  const publicKey = importPublicKey(jwk)
  if (kty !== 'EC' || crv !== 'P-256' || publicKey === undefined) throw new TypeError('The key is not a P-256 key.')
  const privateKey = createPrivateKey({ key: { kty, crv, x, y, d }, format: 'jwk' })
  const probe = new Uint8Array(32)
  if (!verifyEs256(probe, publicKey, signEs256(probe, privateKey)))
    throw new TypeError('The private and the public half of the key do not belong together.')
  return privateKey
}

/** Signs; 64 bytes. */
export const signEs256 = (data: Uint8Array, key: KeyObject): Uint8Array => sign('sha256', data, { key, ...ENCODING })

/** Holds when the 64 bytes are a signature of the data by the key. Never throws. */
export function verifyEs256(data: Uint8Array, key: KeyObject, signature: Uint8Array): boolean {
  return signature.length === SIGNATURE_BYTES && verify('sha256', data, { key, ...ENCODING }, signature)
}
