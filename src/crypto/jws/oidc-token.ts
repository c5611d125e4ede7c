import { createLocalJWKSet, decodeJwt, errors, jwtVerify, type JSONWebKeySet } from 'jose'
import type { JsonObject } from '../../protocol/manifest.js'

/** Asymmetric algorithms that an identity provider may sign with; never `none`, never a shared secret. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

export interface OidcExpectation {
  /** The keys of the issuer, as its JWKS gave them. */
  readonly keys: readonly JsonObject[]
  readonly issuer: string
  readonly audience: string
  /** ms since the epoch. */
  readonly now: number
  readonly toleranceSeconds: number
}

export type OidcVerdict =
  | { readonly ok: true; readonly claims: JsonObject; readonly typ: string | undefined }
  | { readonly ok: false; readonly reason: 'unknown_key' | 'refused' }

/**
 * Verifies a token of an identity provider: signature by a key of the issuer, issuer, audience and times (RFC 7519, RFC
 * 8725).
 * `unknown_key` says that newer keys might know it. Never rejects.
 */
export async function verifyOidcToken(jwt: string, expected: OidcExpectation): Promise<OidcVerdict> {
  const { keys, issuer, audience, now, toleranceSeconds } = expected
  try {
    const jwks = createLocalJWKSet({ keys: keys.filter(isAsymmetric) } as unknown as JSONWebKeySet)
    const { payload, protectedHeader } = await jwtVerify(jwt, jwks, {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: toleranceSeconds,
      currentDate: new Date(now),
      requiredClaims: ['sub', 'exp'],
    })
    return { ok: true, claims: payload as JsonObject, typ: protectedHeader.typ }
  } catch (error) {
    return { ok: false, reason: error instanceof errors.JWKSNoMatchingKey ? 'unknown_key' : 'refused' }
  }
}

const isAsymmetric = ({ kty }: JsonObject): boolean => kty === 'RSA' || kty === 'EC' || kty === 'OKP'

/** The issuer that a JWT claims, unverified: it only says whose keys to ask. Undefined for what is no JWT. */
export function claimedIssuer(bearer: string): string | undefined {
  if (bearer.split('.').length !== 3) return undefined
  try {
    const { iss } = decodeJwt(bearer)
    return iss
  } catch {
    return undefined
  }
}
