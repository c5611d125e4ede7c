import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { decodeBase64url, encodeBase64url } from '../../src/crypto/json/base64url.js'
import { importPublicKey, verifyEs256 } from '../../src/crypto/keys/es256.js'
import { publicJwkOf, readPrivateJwk, readPublicJwk, thumbprint } from '../../src/crypto/keys/jwk.js'
import { kidOf } from '../../src/crypto/jws/jws-header.js'
import { signDetached, verifyDetached } from '../../src/crypto/jws/jws.js'
import { verifyDelegation } from '../../src/crypto/jws/jwt.js'
import { ringKeyOf, ringKeysOf } from '../../src/crypto/keys/key-ring.js'
import type { PrivateJwk } from '../../src/protocol/jwk.js'
import type { JsonObject } from '../../src/protocol/manifest.js'
import { forSet, notRun, vectorFiles, vectorJson } from './vectors.js'

const SET = 'jose-rfc'
type Example = { readonly compact: string; readonly jwk: JsonObject; readonly jwk_private: PrivateJwk }
const LABELS = ['rfc7515-A.3-es256', 'rfc7517-A.1-ec-key', 'rfc7638-3.1-thumbprint', 'rfc6979-A.2.5-p256-sha256']

forSet(SET, ['rfc-examples.json', 'rfc7520-cookbook'], () => {
  const examples = vectorJson<{ readonly [name: string]: Example }>(SET, 'rfc-examples.json')
  const lacking = LABELS.filter((label) => !Object.hasOwn(examples, label))
  if (lacking.length > 0) return notRun(`rfc-examples.json: ${lacking.join(', ')}`, 'not there')
  const { jwk_private: a3Key, compact: a3 } = examples['rfc7515-A.3-es256']!
  const expectation = {
    keys: ringKeysOf([publicJwkOf(a3Key)], 'tokens'),
    issuer: 'joe',
    audience: 'joe',
    now: 1_300_000_000,
    toleranceSeconds: 5,
  }

  describe('RFC 7515', () => {
    it('A.3: the ES256 signature verifies', () => {
      const [header = '', payload = '', signature = ''] = a3.split('.')
      const key = importPublicKey(a3Key)!
      expect(verifyEs256(Buffer.from(`${header}.${payload}`), key, decodeBase64url(signature)!)).toBe(true)
    })

    it.each(Object.entries(examples).filter(([, { compact }]) => compact !== undefined))(
      '%s is no delegation token',
      (_, { compact }) => {
        expect(verifyDelegation(compact, expectation)).toMatchObject({ ok: false })
      },
    )

    it('appendix F: what we sign detached is a JWS with its payload left out', async () => {
      const key = ringKeyOf(a3Key, 'manifest', 'active')
      const payload = Buffer.from('{"a":1}')
      const detached = await signDetached(key.signer!, payload)
      const [header = '', empty, signature = ''] = detached.split('.')
      expect(empty).toBe('')
      const input = Buffer.from(`${header}.${encodeBase64url(payload)}`)
      expect(verifyEs256(input, importPublicKey(a3Key)!, decodeBase64url(signature)!)).toBe(true)
      expect(verifyDetached(detached, payload, [key])).toEqual({ kid: key.kid })
      expect(verifyDetached(detached.replace('..', `.${encodeBase64url(payload)}.`), payload, [key])).toBeUndefined()
    })
  })

  describe('RFC 7517', () => {
    it('A.1: a key for encryption is never taken to verify', () => {
      const { use, kid, ...jwk } = examples['rfc7517-A.1-ec-key']!.jwk
      expect([use, kid]).toEqual(['enc', '1'])
      expect(readPublicJwk(jwk)).toMatchObject({ kty: 'EC', use: 'sig' })
      expect(readPublicJwk({ ...jwk, use: 'enc' })).toBe('The key is not for signatures (use).')
      expect(readPublicJwk({ ...jwk, kid: '1' })).toContain('The kid is not the thumbprint of the key')
    })
  })

  describe('RFC 7638', () => {
    it('3.1: a thumbprint is SHA-256 over the required members in their order', () => {
      const { jwk, thumbprint_sha256_b64url: stated } = examples['rfc7638-3.1-thumbprint'] as never as {
        readonly jwk: { readonly e: string; readonly kty: string; readonly n: string }
        readonly thumbprint_sha256_b64url: string
      }
      const { e, kty, n } = jwk
      expect(createHash('sha256').update(JSON.stringify({ e, kty, n })).digest('base64url')).toBe(stated)
      const { crv, x, y } = a3Key
      const ours = createHash('sha256')
        .update(JSON.stringify({ crv, kty: 'EC', x, y }))
        .digest('base64url')
      expect(thumbprint(a3Key)).toBe(ours)
    })
  })

  describe('RFC 6979', () => {
    const set = examples['rfc6979-A.2.5-p256-sha256'] as never as {
      readonly Ux_hex: string
      readonly Uy_hex: string
      readonly signatures: readonly { readonly message_utf8: string; readonly r: string; readonly s: string }[]
    }
    const coordinate = (hex: string) => Buffer.from(hex, 'hex').toString('base64url')
    const key = importPublicKey({ kty: 'EC', crv: 'P-256', x: coordinate(set.Ux_hex), y: coordinate(set.Uy_hex) })!

    it.each(set.signatures)('A.2.5: the signature of $message_utf8 verifies', ({ message_utf8, r, s }) => {
      expect(verifyEs256(Buffer.from(message_utf8), key, Buffer.from(r + s, 'hex'))).toBe(true)
      expect(verifyEs256(Buffer.from(`${message_utf8}.`), key, Buffer.from(r + s, 'hex'))).toBe(false)
    })
  })

  describe('RFC 7520 and RFC 7797: what is not ES256 with our header is refused', () => {
    type Recipe = {
      readonly input: { readonly key: JsonObject }
      readonly output: { readonly compact?: string; readonly json?: JsonObject }
    }
    const files = vectorFiles(SET, 'rfc7520-cookbook')

    it.each(files.filter((file) => file.startsWith('4')))('%s', (file) => {
      const recipe = vectorJson<Recipe>(SET, 'rfc7520-cookbook', file)
      const compact = recipe.output?.compact ?? JSON.stringify(recipe)
      expect(verifyDelegation(compact, expectation)).toMatchObject({ ok: false })
      expect(verifyDetached(compact, Buffer.from(''), expectation.keys)).toBeUndefined()
      expect(kidOf(compact.split('.')[0] ?? '')).toBeUndefined()
    })

    it.each(files.filter((file) => file.startsWith('3')))('%s is no ES256 key', (file) => {
      const jwk = vectorJson<JsonObject>(SET, 'rfc7520-cookbook', file)
      expect(typeof readPublicJwk(jwk)).toBe('string')
      expect(typeof readPrivateJwk(jwk)).toBe('string')
    })
  })
})
