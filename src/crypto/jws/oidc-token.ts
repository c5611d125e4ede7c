import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose'
import type { JSONWebKeySet, JWTHeaderParameters, JWTVerifyOptions, JWTVerifyResult } from 'jose'
import type { JsonObject } from '../../protocol/manifest.js'

/** Asymmetric algorithms that an identity provider may sign with; never `none`, never a shared secret. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** Members of a header that are texts (RFC 7515, section 4.1). */
const HEADER_TEXTS = ['alg', 'typ', 'kid', 'cty'] as const

export interface OidcExpectation {
  /** The keys of the issuer, as its JWKS gave them. */
  readonly keys: readonly JsonObject[]
  readonly issuer: string
  /** Undefined where the token names its audience by another claim, which the caller judges. */
  readonly audience: string | undefined
  /** ms since the epoch. */
  readonly now: number
  readonly toleranceSeconds: number
}

export type OidcVerdict =
  | { readonly ok: true; readonly claims: JsonObject; readonly typ: string | undefined }
  /**
   * The claim or member of the header that failed, for the operator's log; `signature` and `form` are none. `kid` says
   * that newer keys might verify it, and `exp` that nothing but its time is over.
   */
  | { readonly ok: false; readonly failed: string }

/**
 * Verifies a token of an identity provider: signature by a key of the issuer, issuer, audience and times (RFC 7519, RFC
 * 8725). Never rejects.
 */
export async function verifyOidcToken(jwt: string, expected: OidcExpectation): Promise<OidcVerdict> {
  const { keys, issuer, audience, now, toleranceSeconds } = expected
  let isNamed = false
  try {
    const header: { readonly [name: string]: unknown } = decodeProtectedHeader(jwt)
    const odd = HEADER_TEXTS.find((name) => Object.hasOwn(header, name) && typeof header[name] !== 'string')
    if (odd !== undefined) return { ok: false, failed: odd === 'kid' ? 'form' : odd }
    const { kid } = header as JWTHeaderParameters
    isNamed = kid !== undefined
    const { payload, protectedHeader } = await verifiedByOne(jwt, candidates(keys, kid), {
      issuer,
      ...(audience !== undefined && { audience }),
      algorithms: ALGORITHMS,
      clockTolerance: toleranceSeconds,
      currentDate: new Date(now),
      requiredClaims: ['sub', 'exp'],
    })
    return { ok: true, claims: payload as JsonObject, typ: protectedHeader.typ }
  } catch (error) {
    return { ok: false, failed: failedIn(error, isNamed) }
  }
}

/** A key without an id may be the one that a token names: `kid` is a hint (RFC 7515, section 4.1.4). */
const candidates = (keys: readonly JsonObject[], kid: string | undefined): JSONWebKeySet =>
  ({
    keys: keys
      .filter(isAsymmetric)
      .map((key) => (kid === undefined || Object.hasOwn(key, 'kid') ? key : { ...key, kid })),
  }) as unknown as JSONWebKeySet

/** Keys that are tried for one token. */
const MOST_TRIED = 10

/** Verifies by the key that the token names; by one after the other, where it names none and there are several. */
async function verifiedByOne(jwt: string, jwks: JSONWebKeySet, options: JWTVerifyOptions): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(jwt, createLocalJWKSet(jwks), options)
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    let tried = 0
    for await (const key of error) {
      const result = await jwtVerify(jwt, key, options).catch(unlessForged)
      if (result !== undefined) return result
      if (++tried === MOST_TRIED) break
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}

function unlessForged(error: unknown): undefined {
  if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
}

/** Names the claim of an error. A signature that no key verifies may be a newer key's, if the token names none. */
function failedIn(error: unknown, isNamed: boolean): string {
  if (error instanceof errors.JWKSNoMatchingKey) return 'kid'
  if (error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed) return error.claim
  if (error instanceof errors.JWSSignatureVerificationFailed) return isNamed ? 'signature' : 'kid'
  return error instanceof errors.JOSEAlgNotAllowed ? 'alg' : 'form'
}

const isAsymmetric = ({ kty }: JsonObject): boolean => kty === 'RSA' || kty === 'EC' || kty === 'OKP'

/** Holds for what has the form of a signed JWT (RFC 7519, section 7.2): a header and claims that are JSON objects. */
export function isJwt(bearer: string): boolean {
  if (bearer.split('.').length !== 3) return false
  try {
    return Boolean(decodeProtectedHeader(bearer) && decodeJwt(bearer))
  } catch {
    return false
  }
}

/** The issuer that a JWT claims, unverified: it only says whose keys to ask. Undefined for what is no JWT. */
export function claimedIssuer(bearer: string): string | undefined {
  return isJwt(bearer) ? decodeJwt(bearer).iss : undefined
}
