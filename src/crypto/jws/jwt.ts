import { DELEGATION_TYPE, type DelegationClaims } from '../../protocol/token.js'
import { encodeBase64url } from '../json/base64url.js'
import { canonicalText } from '../json/canonical.js'
import { readClaims } from './delegation-claims.js'
import { headerFor, isSignedBy, kidOf, objectIn, segmentsOf } from './jws-header.js'
import type { RingKey } from '../keys/key-ring.js'
import type { Signer } from '../keys/signer.js'

/** Half of a header block: proxies add headers of their own. */
const MAX_CHARACTERS = 16_384

/** Signs the claims as a delegation JWT: ES256, header `{alg, kid, typ: svc-delegation+jwt}` (section 2.10). */
export async function signDelegation(
  signer: Signer,
  claims: DelegationClaims,
  canonical = canonicalText(claims),
): Promise<string> {
  const input = `${headerOf(signer)}.${encodeBase64url(canonical)}`
  return `${input}.${encodeBase64url(await signer.sign(Buffer.from(input, 'latin1')))}`
}

/** All tokens of one key have the same header. */
let latest = { kid: '', header: '' }

function headerOf({ kid }: Signer): string {
  if (kid !== latest.kid) latest = { kid, header: headerFor(kid, DELEGATION_TYPE) }
  return latest.header
}

export interface DelegationExpectation {
  /** The verification keys of role `tokens`, and no others. */
  readonly keys: readonly RingKey[]
  readonly issuer: string
  readonly audience: string
  /** s since the epoch. */
  readonly now: number
  readonly toleranceSeconds: number
}

export type DelegationVerdict =
  | { readonly ok: true; readonly claims: DelegationClaims }
  | { readonly ok: false; readonly reason: 'malformed' | 'signature' | 'claims' | 'not_yet' | 'expired' }

/**
 * Verifies a delegation JWT (section 5.7.2). Type, algorithm, header members, issuer and audience are pinned, each
 * segment has one spelling, claims are read only after the signature. Two signatures over the same claims are the same
 * token: its identity is `jti`. Synchronous, because that is fastest; never throws.
 */
export function verifyDelegation(jwt: string, expected: DelegationExpectation): DelegationVerdict {
  const segments = jwt.length > MAX_CHARACTERS ? undefined : segmentsOf(jwt)
  if (segments === undefined) return refused('malformed')
  const [header, payload, signature] = segments
  const kid = kidOf(header, DELEGATION_TYPE)
  if (kid === undefined) return refused('malformed')
  if (!isSignedBy(kid, expected.keys, `${header}.${payload}`, signature)) return refused('signature')
  const json = objectIn(payload)
  return json === undefined ? refused('malformed') : judged(readClaims(json, expected.audience), expected)
}

function judged(claims: DelegationClaims | undefined, expected: DelegationExpectation): DelegationVerdict {
  const { issuer, now, toleranceSeconds } = expected
  if (claims === undefined || claims.iss !== issuer) return refused('claims')
  if (claims.exp <= now - toleranceSeconds) return refused('expired')
  if (claims.nbf > now + toleranceSeconds || claims.iat > now + toleranceSeconds) return refused('not_yet')
  return { ok: true, claims }
}

const refused = (reason: Exclude<DelegationVerdict, { ok: true }>['reason']): DelegationVerdict => ({
  ok: false,
  reason,
})
