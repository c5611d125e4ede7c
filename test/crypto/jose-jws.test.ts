import { describe, expect, it } from 'vitest'
import { signatureJudge } from '../../src/cli/verify/signature-judge.js'
import { isSignedByJose, jwksByJose, signDetachedByJose } from '../../src/crypto/jws/jose-jws.js'
import { signDetached, verifyDetached } from '../../src/crypto/jws/jws.js'
import { generatePrivateJwk, jwksOf, ringKeyOf, type RingKey } from '../../src/crypto/keys/key-ring.js'

const [ONE, OTHER] = [generatePrivateJwk(), generatePrivateJwk()]
const KEY = ringKeyOf(ONE, 'manifest', 'active')
const STRANGER = ringKeyOf(OTHER, 'manifest', 'active')
const PAYLOAD = Buffer.from('{"a":"ä"}')

describe('jose and node:crypto', () => {
  it('write the same header, and each takes what the other signs', async () => {
    const [ours, josed] = [await signDetached(KEY.signer!, PAYLOAD), await signDetachedByJose(ONE, PAYLOAD)]
    expect(josed.split('.')[0]).toBe(ours.split('.')[0])
    expect(verifyDetached(josed, PAYLOAD, [KEY])).toEqual({ kid: KEY.kid })
    expect(await isSignedByJose(ours, PAYLOAD, KEY.publicJwk)).toBe(true)
  })

  it.each<[string, (jws: string) => string, Uint8Array, RingKey]>([
    ['another payload', (jws) => jws, Buffer.from('{}'), KEY],
    ['another key', (jws) => jws, PAYLOAD, STRANGER],
    ['a changed signature', (jws) => `${jws.slice(0, -4)}AAAA`, PAYLOAD, KEY],
    ['half a signature', (jws) => jws.slice(0, -40), PAYLOAD, KEY],
    ['another algorithm', (jws) => jws.replace(/^[^.]+/u, Buffer.from(`{"alg":"ES384","kid":"${KEY.kid}"}`).toString('base64url')), PAYLOAD, KEY],
    ['no header', (jws) => jws.replace(/^[^.]+/u, ''), PAYLOAD, KEY],
    ['nothing', () => '', PAYLOAD, KEY],
  ])('both refuse %s', async (_, change, payload, key) => {
    const jws = change(await signDetachedByJose(ONE, PAYLOAD))
    expect(verifyDetached(jws, payload, [key])).toBeUndefined()
    expect(await isSignedByJose(jws, payload, key.publicJwk)).toBe(false)
  }) // prettier-ignore

  it('write the same JWKS, byte by byte', async () => {
    const jwks = jwksOf({ keys: [KEY, STRANGER] }, 0)
    expect(JSON.stringify(await jwksByJose(jwks))).toBe(JSON.stringify(jwks))
  })
})

describe('a signature that a person checks', () => {
  it('counts when jose confirms it', async () => {
    const { verify, confirm } = signatureJudge()
    expect(verify(await signDetached(KEY.signer!, PAYLOAD), PAYLOAD, [STRANGER, KEY])).toEqual({ kid: KEY.kid })
    expect(verify('h..s', PAYLOAD, [KEY])).toBeUndefined()
    expect(await confirm()).toEqual([])
  })

  it('does not where jose refuses it, and the key is named once', async () => {
    const { verify, confirm } = signatureJudge(async () => false)
    const jws = await signDetached(KEY.signer!, PAYLOAD)
    verify(jws, PAYLOAD, [KEY])
    verify(jws, PAYLOAD, [KEY])
    expect(await confirm()).toEqual([
      `jose does not confirm a signature by the key ${KEY.kid}: do not trust it, and report it.`,
    ])
  })
})
