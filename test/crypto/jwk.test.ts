/** Keys as JSON: what is no key for ES256 signatures is refused, each with its reason. */
import { describe, expect, it } from 'vitest'
import { publicJwkOf, readJwks, readPrivateJwk, readPublicJwk } from '../../src/crypto/keys/jwk.js'
import { generatePrivateJwk, generateRingKey, jwksOf } from '../../src/crypto/keys/key-ring.js'
import { publishedKeysOf } from '../../src/crypto/keys/published-keys.js'

const PRIVATE = generatePrivateJwk()
const PUBLIC = publicJwkOf(PRIVATE)
const { kty, crv, x, y } = PUBLIC
const OTHER = publicJwkOf(generatePrivateJwk())

describe('a public key', () => {
  it('is read from its four members alone, and published with seven', () => {
    expect(readPublicJwk({ kty, crv, x, y })).toEqual({ kty, crv, x, y, kid: PUBLIC.kid, use: 'sig', alg: 'ES256' })
  })

  it.each<[object, string]>([
    [{ ...PUBLIC, use: 'enc' }, 'The key is not for signatures (use).'],
    [{ ...PUBLIC, alg: 'ECDH-ES' }, 'The key is not for ES256 (alg).'],
    [{ ...PUBLIC, alg: 'ES384' }, 'The key is not for ES256 (alg).'],
    [{ ...PUBLIC, kty: 'OKP' }, 'The key is not a P-256 key (kty EC, crv P-256).'],
    [{ ...PUBLIC, crv: 'P-384' }, 'The key is not a P-256 key (kty EC, crv P-256).'],
    [{ ...PUBLIC, y: undefined }, 'The key has no coordinates x and y.'],
    [{ ...PUBLIC, y: x }, 'The coordinates x and y are not a point on P-256.'],
    [{ ...PUBLIC, kid: OTHER.kid }, `The kid is not the thumbprint of the key (${PUBLIC.kid}).`],
    [[PUBLIC], 'A key must be an object.'],
  ])('is not read from %j', (value, reason) => {
    expect(readPublicJwk(value as never)).toBe(reason)
  })
})

it.each<[string, object, string]>([
  ['another half', { ...PRIVATE, d: generatePrivateJwk().d }, 'The private and the public half of the key do not belong together.'],
  ['none', PUBLIC, 'The key has no private part d.'],
])('a private key is not read with %s', (_, value, reason) => {
  expect(readPrivateJwk(value as never)).toBe(reason)
}) // prettier-ignore

it.each<[string, object, string]>([
  ['the same key twice', { keys: [PUBLIC, OTHER, { kty, crv, x, y }] }, 'The JWKS has the same key twice.'],
  ['another key', { keys: [PUBLIC, { ...OTHER, use: 'enc' }] }, 'Key 2 of the JWKS: The key is not for signatures (use).'],
  ['no list', { keys: PUBLIC }, 'A JWKS must be an object with a list "keys".'],
  ['a list alone', [PUBLIC], 'A JWKS must be an object with a list "keys".'],
])('a JWKS is not read with %s', (_, value, reason) => {
  expect(readJwks(value as never)).toBe(reason)
}) // prettier-ignore

it('a JWKS keeps the order of its keys, the roles of a ring are in that of their ids', () => {
  const keys = Array.from({ length: 6 }, () => generateRingKey('tokens', 'active'))
  const kids = keys.map(({ kid }) => kid)
  expect(jwksOf({ keys }, 0).keys.map(({ kid }) => kid)).toEqual(kids)
  expect((readJwks(jwksOf({ keys }, 0) as never) as readonly { kid: string }[]).map(({ kid }) => kid)).toEqual(kids)
  const sorted = kids.toSorted((one, other) => (one < other ? -1 : 1))
  expect(Object.keys(publishedKeysOf({ keys }))).toEqual(sorted)
  expect(Object.keys(publishedKeysOf({ keys: keys.toReversed() }))).toEqual(sorted)
})
