import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { importPrivateKey, importPublicKey, signEs256, verifyEs256 } from '../../src/crypto/keys/es256.js'
import type { PrivateJwk } from '../../src/protocol/jwk.js'

const newKey = (namedCurve = 'P-256') =>
  generateKeyPairSync('ec', { namedCurve }).privateKey.export({ format: 'jwk' }) as PrivateJwk
const [ONE, OTHER] = [newKey(), newKey()]
const data = Buffer.from('data')

describe('ES256', () => {
  it('signs in 64 bytes, which only the other half verifies', () => {
    const signature = signEs256(data, importPrivateKey(ONE))
    expect(signature).toHaveLength(64)
    expect(verifyEs256(data, importPublicKey(ONE)!, signature)).toBe(true)
    expect(verifyEs256(Buffer.from('other'), importPublicKey(ONE)!, signature)).toBe(false)
    expect(verifyEs256(data, importPublicKey(OTHER)!, signature)).toBe(false)
  })

  it('is never DER, and never another length', () => {
    const der = sign('sha256', data, importPrivateKey(ONE))
    expect(verifyEs256(data, importPublicKey(ONE)!, der)).toBe(false)
    expect(verifyEs256(data, importPublicKey(ONE)!, new Uint8Array(0))).toBe(false)
  })

  it('has public keys that are points on the curve', () => {
    expect(importPublicKey({ ...ONE, x: ONE.y })).toBeUndefined()
  })

  it.each([
    ['another curve', newKey('P-384'), 'The key is not a P-256 key.'],
    ['another name for its curve', { ...newKey('P-384'), crv: 'P-256' as const }, 'The key is not a P-256 key.'],
    ['no point', { ...ONE, x: ONE.y }, 'The key is not a P-256 key.'],
    ['another type', { ...ONE, kty: 'OKP' as never }, 'The key is not a P-256 key.'],
    ['the public half of another', { ...ONE, x: OTHER.x, y: OTHER.y }, 'The private and the public half of the key do not belong together.'],
  ])('has no private key with %s', (_, jwk, message) => {
    expect(() => importPrivateKey(jwk)).toThrow(new TypeError(message))
  }) // prettier-ignore
})
