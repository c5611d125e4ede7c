import { describe, expect, it } from 'vitest'
import { decodeBase64url } from '../../src/crypto/json/base64url.js'
import { importPublicKey, verifyEs256 } from '../../src/crypto/keys/es256.js'
import { publicJwkOf, readJwks } from '../../src/crypto/keys/jwk.js'
import { isSignedBy, kidOf } from '../../src/crypto/jws/jws-header.js'
import { verifyDelegation } from '../../src/crypto/jws/jwt.js'
import { ringKeysOf, type RingKey } from '../../src/crypto/keys/key-ring.js'
import type { JsonObject } from '../../src/protocol/manifest.js'
import { forSet, having, notRun, vectorJson } from './vectors.js'

const SET = 'wycheproof'

interface EcdsaTest {
  readonly tcId: number
  readonly comment: string
  readonly msg: string
  readonly sig: string
  readonly result: 'valid' | 'invalid' | 'acceptable'
}
interface EcdsaGroup {
  readonly publicKey: { readonly wx: string; readonly wy: string }
  readonly tests: readonly EcdsaTest[]
}

const coordinate = (hex: string): string => Buffer.from(hex.padStart(64, '0').slice(-64), 'hex').toString('base64url')
const ecdsa = (file: string) =>
  vectorJson<{ readonly testGroups: readonly EcdsaGroup[] }>(SET, file).testGroups.flatMap(({ publicKey, tests }) => {
    const jwk = { kty: 'EC', crv: 'P-256', x: coordinate(publicKey.wx), y: coordinate(publicKey.wy) } as const
    return tests.map((test) => ({ ...test, jwk }))
  })

forSet(SET, ['ecdsa_secp256r1_sha256_p1363_test.json'], () => {
  describe('ECDSA over P-256, signatures as r and s', () => {
    it.each(ecdsa('ecdsa_secp256r1_sha256_p1363_test.json'))('$tcId $comment: $result', ({ jwk, msg, sig, result }) => {
      expect(verifyEs256(Buffer.from(msg, 'hex'), importPublicKey(jwk)!, Buffer.from(sig, 'hex'))).toBe(
        result === 'valid',
      )
    })
  })
})

forSet(SET, ['ecdsa_secp256r1_sha256_test.json'], () => {
  describe('ECDSA over P-256, signatures as DER', () => {
    it.each(ecdsa('ecdsa_secp256r1_sha256_test.json'))('$tcId $comment is refused', ({ jwk, msg, sig }) => {
      expect(verifyEs256(Buffer.from(msg, 'hex'), importPublicKey(jwk)!, Buffer.from(sig, 'hex'))).toBe(false)
    })
  })
})

interface JwsTest {
  readonly tcId: number
  readonly comment: string
  readonly jws?: unknown
  readonly jwe?: unknown
  readonly result: 'valid' | 'invalid' | 'acceptable'
}
interface JwsGroup {
  readonly comment: string
  readonly private: JsonObject
  readonly public?: JsonObject
  readonly tests: readonly JwsTest[]
}

const jws = (file: string) =>
  vectorJson<{ readonly testGroups: readonly JwsGroup[] }>(SET, file).testGroups.flatMap((group) =>
    group.tests.map((test) => ({
      ...test,
      jws: test.jws ?? test.jwe,
      group: group.comment,
      key: group.public ?? group.private,
    })),
  )

const isEs256 = ({ kty, crv, alg = 'ES256' }: JsonObject): boolean => kty === 'EC' && crv === 'P-256' && alg === 'ES256'

/** The keys of a group, by the names that the file gives them: its key ids are not thumbprints, as ours are. */
function keysOf(key: JsonObject): readonly RingKey[] {
  const all = (Array.isArray(key['keys']) ? key['keys'] : [key]) as readonly JsonObject[]
  return all.filter(isEs256).map(({ x, y, kid }) => {
    const publicJwk = publicJwkOf({ kty: 'EC', crv: 'P-256', x: x as string, y: y as string })
    return { kid: kid as string, role: 'tokens', state: 'active', publicJwk }
  })
}

/** A compact JWS, with our pinned header and the type that it may have. */
function verifies(compact: unknown, keys: readonly RingKey[]): boolean {
  if (typeof compact !== 'string') return false
  const [header = '', payload = '', signature = '', ...rest] = compact.split('.')
  if (rest.length > 0 || decodeBase64url(payload) === undefined) return false
  const kid = kidOf(header) ?? kidOf(header, 'JWT')
  return kid !== undefined && isSignedBy(kid, keys, `${header}.${payload}`, signature)
}

const FILES = ['json_web_signature_test.json', 'json_web_crypto_test.json', 'json_web_key_test.json']
for (const file of FILES) if (having([file], () => [SET, file]).length === 0) notRun(`${SET} (${file})`, 'not there')
describe.each(having(FILES, (file) => [SET, file]))('JWS: %s', (file) => {
  it.each(jws(file))('$group $tcId $comment: $result', ({ jws: compact, key, result }) => {
    const keys = keysOf(key)
    const accepted = verifies(compact, keys)
    if (result === 'invalid' || keys.length === 0) expect(accepted).toBe(false)
    if (accepted) expect(result).not.toBe('invalid')
  })

  it.each(jws(file))('$group $tcId is no delegation token', ({ jws: compact, key }) => {
    const expected = { keys: keysOf(key), issuer: 'a', audience: 'a', now: 0, toleranceSeconds: 5 }
    expect(verifyDelegation(typeof compact === 'string' ? compact : JSON.stringify(compact), expected).ok).toBe(false)
  })
})

forSet(SET, ['json_web_key_test.json'], () => {
  describe('JWKS', () => {
    it.each(jws('json_web_key_test.json'))('$group $tcId: a set with anything but ES256 keys is refused', ({ key }) => {
      expect(typeof readJwks(key)).toBe('string')
    })
  })
})

forSet(SET, ['json_web_crypto_test.json'], () => {
  describe('a valid ES256 JWS', () => {
    it('is accepted at least once, so that the refusals above mean something', () => {
      const accepted = jws('json_web_crypto_test.json').filter(({ jws: compact, key }) =>
        verifies(compact, keysOf(key)),
      )
      expect(accepted.length).toBeGreaterThan(0)
      expect(ringKeysOf([], 'tokens')).toEqual([])
    })
  })
})
