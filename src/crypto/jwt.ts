import { DELEGATION_TYPE, type DelegationClaims } from '../protocol/token.js'
import { encodeBase64url } from './base64url.js'
import { delegationClaims } from './delegation-claims.js'
import { headerFor, isSignedBy, kidOf, objectIn } from './jws-header.js'
import type { RingKey } from './key-ring.js'
import type { Signer } from './signer.js'

/** Signs the claims of a delegation token as a compact JWT (RFC 7519) with the pinned type. */
export async function signDelegation(signer: Signer, claims: DelegationClaims): Promise<string> {
  const input = `${headerFor(signer.kid, DELEGATION_TYPE)}.${encodeBase64url(JSON.stringify(claims))}`
  return `${input}.${encodeBase64url(await signer.sign(Buffer.from(input, 'latin1')))}`
}

export interface DelegationOptions {
  /** The keys of the role `tokens`. */
  readonly keys: readonly RingKey[]
  readonly issuer: string
  readonly audience: string
  /** s since the epoch. */
  readonly now: number
  readonly toleranceSeconds: number
}

export type VerifiedDelegation =
  | { readonly ok: true; readonly claims: DelegationClaims }
  | { readonly ok: false; readonly reason: 'malformed' | 'signature' | 'claims' | 'not_yet' | 'expired' }

/** Verifies a delegation JWT: algorithm, type, key, issuer and audience are pinned, and nothing is believed before the signature. */
export function verifyDelegation(jwt: string, options: DelegationOptions): VerifiedDelegation {
  const [header, payload, signature, ...rest] = jwt.length > MAX_LENGTH ? [] : jwt.split('.', 4)
  if (header === undefined || payload === undefined || signature === undefined || rest.length > 0)
    return refused('malformed')
  const kid = kidOf(header, DELEGATION_TYPE)
  if (kid === undefined || !isSignedBy(kid, options.keys, `${header}.${payload}`, signature))
    return refused('signature')
  const claims = delegationClaims(objectIn(payload))
  if (claims === undefined || claims.iss !== options.issuer || claims.aud !== options.audience) return refused('claims')
  return withinTime(claims, options)
}

/** Characters of a JWT; the header block of a request is at most 16 KiB. */
const MAX_LENGTH = 16_384

const refused = (reason: (VerifiedDelegation & { ok: false })['reason']): VerifiedDelegation => ({ ok: false, reason })

function withinTime(claims: DelegationClaims, { now, toleranceSeconds }: DelegationOptions): VerifiedDelegation {
  if (claims.nbf > now + toleranceSeconds || claims.iat > now + toleranceSeconds) return refused('not_yet')
  if (claims.exp <= now - toleranceSeconds) return refused('expired')
  return { ok: true, claims }
}
