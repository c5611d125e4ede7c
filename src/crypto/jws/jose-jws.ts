/**
 * The signatures that people check, by jose: of the manifest and its keys as they are published, and of all that the
 * command line verifies. A running service signs and verifies by `jws.ts`, which is faster; tests hold both equal.
 */
import { calculateJwkThumbprint, exportJWK, FlattenedSign, flattenedVerify, importJWK } from 'jose'
import type { Jwks, PrivateJwk, PublicJwk } from '../../protocol/jwk.js'
import { encodeBase64url } from '../json/base64url.js'

/** Signs bytes as a detached compact JWS (RFC 7515, appendix F), as `signDetached` does. */
export async function signDetachedByJose(jwk: PrivateJwk, payload: Uint8Array): Promise<string> {
  const kid = await calculateJwkThumbprint({ ...jwk })
  const { protected: header, signature } = await new FlattenedSign(payload)
    .setProtectedHeader({ alg: 'ES256', kid })
    .sign(await importJWK({ ...jwk }, 'ES256'))
  return `${header}..${signature}`
}

/** Holds when a detached JWS is a signature of the payload by the key, as jose judges it. Never rejects. */
export async function isSignedByJose(jws: string, payload: Uint8Array, jwk: PublicJwk): Promise<boolean> {
  const [header = '', , signature = ''] = jws.split('.')
  try {
    const detached = { protected: header, payload: encodeBase64url(payload), signature }
    await flattenedVerify(detached, await importJWK({ ...jwk }, 'ES256'), { algorithms: ['ES256'] })
    return true
  } catch {
    return false
  }
}

/** The JWKS as it is published (RFC 7517), each key exported and named by jose. */
export async function jwksByJose({ keys }: Jwks): Promise<Jwks> {
  return { keys: await Promise.all(keys.map(exported)) }
}

async function exported(jwk: PublicJwk): Promise<PublicJwk> {
  const { x, y } = await exportJWK(await importJWK({ ...jwk }, 'ES256', { extractable: true }))
  const point = { kty: 'EC', crv: 'P-256', x: x!, y: y! } as const
  return { ...point, kid: await calculateJwkThumbprint(point), use: 'sig', alg: 'ES256' }
}
