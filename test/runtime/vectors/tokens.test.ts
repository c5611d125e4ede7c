import { describe, expect, it } from 'vitest'
import { ringKeyOf, verificationKeys, type KeyRing } from '../../../src/crypto/keys/key-ring.js'
import { verifyDelegation } from '../../../src/crypto/jws/jwt.js'
import type { PrivateJwk } from '../../../src/protocol/jwk.js'
import { capability } from '../fixture/manifest.js'
import { startFixture } from '../fixture/service.js'
import { forSet, notRun, vectorJson } from '../../vectors-suite/vectors.js'

interface TokenSet {
  readonly issuer: string
  readonly audience: string
  readonly now: number
  readonly signing_keys_private: { readonly [name: string]: PrivateJwk }
  readonly cases: readonly {
    readonly id: string
    readonly expect: string
    readonly token: string
    readonly why: string
  }[]
}

interface Wycheproof {
  readonly testGroups: readonly {
    readonly tests: readonly {
      readonly tcId: number
      readonly jws?: unknown
      readonly jwe?: unknown
      readonly sig?: string
    }[]
  }[]
}

const WYCHEPROOF = [
  'json_web_signature_test',
  'json_web_key_test',
  'json_web_crypto_test',
  'ecdsa_secp256r1_sha256_p1363_test',
  'ecdsa_secp256r1_sha256_test',
].map((name) => `${name}.json`)

forSet('svc-jwt-es256', ['tokens.json'], () => {
  const set = vectorJson<TokenSet>('svc-jwt-es256', 'tokens.json')
  const lacking = ['current', 'previous', 'retired', 'audit'].filter((name) => !(name in set.signing_keys_private))
  if (lacking.length > 0) return notRun(`signing_keys_private: ${lacking.join(', ')}`, 'not there')
  if (set.cases.every((each) => each.expect !== 'accept')) return notRun('a token that is to be accepted', 'not there')
  const key = (name: string) => set.signing_keys_private[name]!
  const keys: KeyRing = {
    keys: [
      ringKeyOf(key('current'), 'tokens', 'active'),
      { ...ringKeyOf(key('previous'), 'tokens', 'retired'), verifyUntil: (set.now + 3600) * 1000 },
      { ...ringKeyOf(key('retired'), 'tokens', 'retired'), verifyUntil: (set.now - 3600) * 1000 },
      ringKeyOf(key('audit'), 'audit', 'active'),
      ringKeyOf(key('audit'), 'manifest', 'active'),
    ],
  }

  /** The token that the service of the set has issued: the first one that is to be accepted. */
  const basic = set.cases.find((each) => each.expect === 'accept')!.token

  /** A service that has issued the token of the set, at the set's time, to end when the presented one ends, if that is no later. */
  async function start(presented?: string) {
    const effects: unknown[] = []
    const fixture = await startFixture({
      keys,
      capabilities: { search: capability() },
      handlers: { search: () => (effects.push(1), {}) },
      manifest: { service_identity: { id: set.issuer } },
      clock: () => set.now * 1000,
    })
    const expected = {
      keys: verificationKeys(keys, 'tokens', set.now * 1000),
      issuer: set.issuer,
      audience: set.audience,
      now: set.now,
      toleranceSeconds: 5,
    }
    const verdict = verifyDelegation(basic, expected)
    if (!verdict.ok) throw new Error(verdict.reason)
    const shown = presented === undefined ? verdict : verifyDelegation(presented, expected)
    const exp = Math.min(verdict.claims.exp, shown.ok ? shown.claims.exp : Infinity)
    await fixture.storage.tokens.insert({ claims: { ...verdict.claims, exp }, depth: 0 })
    return { ...fixture, effects, claims: verdict.claims }
  }

  const ALLOWED: { readonly [word: string]: readonly string[] } = {
    accept: ['200'],
    reject: ['401 invalid_token', '401 authentication_required'],
    'reject-expired': ['401 token_expired'],
    'reject-no-fetch': ['401 invalid_token'],
    'reject-or-ignore': ['200', '401 invalid_token'],
    'reject-or-trim': ['200', '401 invalid_token', '401 authentication_required'],
    policy: ['200', '401 invalid_token'],
    'accept-same-identity': ['200', '401 invalid_token'],
  }

  describe('hostile delegation tokens at the front door', () => {
    it.each(set.cases.map((each) => [each.id, each.expect, each] as const))(
      '%s: %s',
      async (_, expectation, { token, why }) => {
        const { post, invoke, effects, logged, trail, claims } = await start(token)
        const headers = { authorization: `Bearer ${token}` }
        const sendable = /^[\t\x20-\x7e\x80-\xff]*$/u.test(token)
        const send = () => post('/svc/permissions', undefined, {}, headers)
        const reply = sendable ? await send() : undefined
        const outcome =
          reply === undefined
            ? '401 invalid_token'
            : reply.status === 200
              ? '200'
              : `${reply.status} ${String(reply.body['failure']?.['type'])}`
        expect(ALLOWED[expectation] ?? ALLOWED['policy'], `${why}: ${outcome}`).toContain(outcome)
        if (outcome === '200') {
          const [entry] = (await invoke('search', token), await trail(token))
          expect(entry).toMatchObject({ token_id: claims.jti, success: true })
        } else if (sendable) {
          const refused = await post('/svc/invoke/search', undefined, { parameters: {} }, headers)
          expect([refused.status, effects.length]).toEqual([401, 0])
        }
        expect(logged.join('\n')).not.toContain(token === '' ? 'no token' : token)
        expect(({} as { readonly polluted?: unknown; readonly scope?: unknown }).polluted).toBeUndefined()
      },
    )
  })

  forSet('wycheproof', WYCHEPROOF, () => {
    const testsOf = (name: string) =>
      vectorJson<Wycheproof>('wycheproof', `${name}.json`).testGroups.flatMap(({ tests }) => tests)

    it.each(['json_web_signature_test', 'json_web_key_test', 'json_web_crypto_test'])(
      'refuses every compact object of Wycheproof %s: none is a delegation token',
      async (name) => {
        const { post } = await start()
        for (const { tcId, jws, jwe } of testsOf(name))
          for (const object of [jws, jwe]) {
            if (typeof object !== 'string' || !/^[\x21-\x7e]+$/u.test(object)) continue
            expect([tcId, (await post('/svc/permissions', object, {})).status]).toEqual([tcId, 401])
          }
      },
    )

    it.each(['ecdsa_secp256r1_sha256_p1363_test', 'ecdsa_secp256r1_sha256_test'])(
      'refuses a sound token under every signature of Wycheproof %s, valid elsewhere or not',
      async (name) => {
        const { post, effects } = await start()
        const [header, payload] = basic.split('.')
        for (const { tcId, sig = '' } of testsOf(name)) {
          const bearer = `${header}.${payload}.${Buffer.from(sig, 'hex').toString('base64url')}`
          expect([tcId, (await post('/svc/permissions', bearer, {})).status]).toEqual([tcId, 401])
        }
        expect(effects).toEqual([])
      },
    )
  })
})
