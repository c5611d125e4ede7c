import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readClaims } from '../../src/crypto/jws/delegation-claims.js'
import { readJwks } from '../../src/crypto/keys/jwk.js'
import { verifyDelegation } from '../../src/crypto/jws/jwt.js'
import { ringKeysOf } from '../../src/crypto/keys/key-ring.js'
import type { JsonObject } from '../../src/protocol/manifest.js'
import { areForeign, forSet, notRun, vectorJson } from './vectors.js'

forSet('svc-jwt-es256', ['tokens.json'], () => {
  const set = vectorJson<{
    readonly issuer: string
    readonly audience: string
    readonly now: number
    readonly jwks: JsonObject
    readonly stored_tokens: readonly JsonObject[]
    readonly cases: readonly {
      readonly id: string
      readonly token: string
      readonly expect: string
      readonly stored?: JsonObject
    }[]
  }>('svc-jwt-es256', 'tokens.json')

  const jwks = readJwks(set.jwks)
  if (typeof jwks === 'string') throw new Error(jwks)
  const expected = {
    keys: ringKeysOf(jwks, 'tokens'),
    issuer: set.issuer,
    audience: set.audience,
    now: set.now,
    toleranceSeconds: 5,
  }

  /** What the runtime does with a token: verify the JWT, then compare it with the row; a row has no expiry of its own here. */
  function outcomeOf(token: string): string {
    const verdict = verifyDelegation(token, expected)
    if (!verdict.ok) return verdict.reason === 'expired' ? 'reject-expired' : 'reject'
    const stored = set.stored_tokens.find(({ jti }) => jti === verdict.claims.jti)
    if (stored === undefined) return 'reject'
    const known = readClaims(stored, set.audience)!
    // The positive set varies the expiry downwards; what outlives its row was tampered with.
    if (verdict.claims.exp > known.exp) return 'reject'
    return isDeepStrictEqual({ ...verdict.claims, exp: 0, nbf: 0 }, { ...known, exp: 0, nbf: 0 }) ? 'accept' : 'reject'
  }

  const ALLOWED: { readonly [expect: string]: readonly string[] } = {
    accept: ['accept'],
    reject: ['reject'],
    'reject-expired': ['reject-expired'],
    'reject-no-fetch': ['reject'],
    'reject-or-ignore': ['reject', 'accept'],
    'reject-or-trim': ['reject'],
    'accept-same-identity': ['accept', 'reject'],
    policy: ['accept', 'reject'],
  }

  const unknown = new Set(set.cases.map((each) => each.expect).filter((word) => !Object.hasOwn(ALLOWED, word)))
  if (unknown.size > 0)
    notRun(
      `svc-jwt-es256: ${[...unknown].join(', ')}`,
      'these expectations are not known here; nothing but harm is looked for',
    )

  describe('hostile delegation tokens', () => {
    it.each(set.cases)('$id: $expect', ({ token, expect: expectation }) => {
      expect(ALLOWED[expectation] ?? ALLOWED['policy']).toContain(outcomeOf(token))
      expect(({} as { admin?: unknown }).admin).toBeUndefined()
    })

    it('refuses duplicate claims and members that are no claim', () => {
      const refused = set.cases
        .filter(({ id }) => /^(?:clm-dup|hdr-dup|hdr-proto)/u.test(id))
        .map(({ token }) => outcomeOf(token))
      expect(new Set(refused)).toEqual(new Set(areForeign && refused.length === 0 ? [] : ['reject']))
    })
  })
})
