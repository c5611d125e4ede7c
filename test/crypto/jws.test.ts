import { describe, expect, it } from 'vitest'
import { signDetached, verifyDetached } from '../../src/crypto/jws/jws.js'
import { signDelegation, verifyDelegation } from '../../src/crypto/jws/jwt.js'
import { headerFor, isSignedBy, kidOf, objectIn } from '../../src/crypto/jws/jws-header.js'
import { generateRingKey } from '../../src/crypto/keys/key-ring.js'
import type { DelegationClaims } from '../../src/protocol/token.js'

const segment = (text: string) => Buffer.from(text).toString('base64url')
const payload = Buffer.from('payload')
const KEY = generateRingKey('audit', 'active')
const OTHER = generateRingKey('audit', 'active')

describe('a header', () => {
  it('has its members in the order of their names, and a type where there is one', () => {
    expect(headerFor('k')).toBe(segment('{"alg":"ES256","kid":"k"}'))
    expect(headerFor('k', 't')).toBe(segment('{"alg":"ES256","kid":"k","typ":"t"}'))
  })

  it.each([
    ['{"alg":"ES256","kid":"k"}', undefined],
    ['{"kid":"k","alg":"ES256"}', undefined],
    ['{"alg":"ES256","kid":"k","typ":"t"}', 't'],
  ])('%s with type %s names its key', (text, typ) => {
    expect(kidOf(segment(text), typ)).toBe('k')
  })

  it.each([
    ['{"alg":"ES384","kid":"k"}', undefined],
    ['{"kid":"k"}', undefined],
    ['{"kid":"k","b64":false}', undefined],
    ['{"alg":"ES256"}', undefined],
    ['{"alg":"ES256","jwk":{}}', undefined],
    ['{"alg":"ES256","kid":1}', undefined],
    ['{"alg":"ES256","kid":"k","crit":[]}', undefined],
    ['{"alg":"ES256","kid":"k","typ":"t"}', undefined],
    ['{"alg":"ES256","kid":"k"}', 't'],
    ['{"alg":"ES256","kid":"k","typ":"u"}', 't'],
    ['{"alg":"ES256","kid":"k","typ":"t","jku":"https://a.example"}', 't'],
    ['{"alg":"ES256","alg":"ES256","kid":"k"}', undefined],
    ['["ES256"]', undefined],
    ['null', undefined],
    ['"ES256"', undefined],
    ['{', undefined],
  ])('%s with type %s names none', (text, typ) => {
    expect(kidOf(segment(text), typ)).toBeUndefined()
  })

  it.each(['', '*', 'e30=', segment('[]'), segment('null'), segment('1'), segment('{} {}')])('%j is no object', (text) => {
    expect(objectIn(text)).toBeUndefined()
  }) // prettier-ignore
})

describe('a detached signature', () => {
  it('names the key that made it', async () => {
    const jws = await signDetached(KEY.signer!, payload)
    expect(jws).toMatch(new RegExp(`^${headerFor(KEY.kid)}\\.\\.[\\w-]{86}$`, 'u'))
    expect(verifyDetached(jws, payload, [OTHER, KEY])).toEqual({ kid: KEY.kid })
  })

  it.each<[string, (parts: readonly string[]) => string]>([
    ['with its payload', ([header, , signature]) => `${header}.${segment('payload')}.${signature}`],
    ['without its signature', ([header]) => `${header}.`],
    ['without its dots', ([header]) => header!],
    ['with one part more', ([header, , signature]) => `${header}..${signature}.`],
    ['with the header of another key', ([, , signature]) => `${headerFor(OTHER.kid)}..${signature}`],
    ['with a type', ([, , signature]) => `${headerFor(KEY.kid, 't')}..${signature}`],
    ['with a signature that is no base64url', ([header]) => `${header}..*`],
    ['with half a signature', ([header, , signature]) => `${header}..${signature!.slice(0, 40)}`],
  ])('%s is none', async (_, change) => {
    const jws = await signDetached(KEY.signer!, payload)
    expect(verifyDetached(change(jws.split('.')), payload, [KEY, OTHER])).toBeUndefined()
  })

  it('is none by a key that was not given, or over other bytes', async () => {
    const jws = await signDetached(KEY.signer!, payload)
    expect(verifyDetached(jws, payload, [OTHER])).toBeUndefined()
    expect(verifyDetached(jws, Buffer.from('other'), [KEY])).toBeUndefined()
  })

  it('is none by a key that is no point on the curve', async () => {
    const jws = await signDetached(KEY.signer!, payload)
    const broken = { ...KEY, publicJwk: { ...KEY.publicJwk, x: KEY.publicJwk.y } }
    const [header, , signature] = jws.split('.')
    expect(isSignedBy(KEY.kid, [broken], `${header}.${segment('payload')}`, signature!)).toBe(false)
  })
})

const CLAIMS: DelegationClaims = {
  jti: 'tok_1', iss: 'flights', aud: 'flights', sub: 'agent:bot', iat: 1000, nbf: 1000, exp: 2000, scope: [], root_principal: 'human:ana',
  purpose: { parameters: {} }, constraints: { max_delegation_depth: 0, concurrent_branches: 'allowed' },
} // prettier-ignore
const expected = { keys: [KEY], issuer: 'flights', audience: 'flights', now: 1500, toleranceSeconds: 5 }
const sign = (change: object = {}) => signDelegation(KEY.signer!, { ...CLAIMS, ...change } as DelegationClaims)
const reasonFor = (jwt: string, change: object = {}) => {
  const verdict = verifyDelegation(jwt, { ...expected, ...change })
  return verdict.ok ? 'ok' : verdict.reason
}

describe('a delegation token', () => {
  it.each<[string, string, (parts: readonly string[]) => string]>([
    ['malformed', 'without a signature', ([header, payload]) => `${header}.${payload}`],
    ['malformed', 'without a payload', ([header]) => header!],
    ['malformed', 'with one part more', (parts) => [...parts, ''].join('.')],
    ['malformed', 'with another type', ([, payload, signature]) => `${headerFor(KEY.kid, 'JWT')}.${payload}.${signature}`],
    ['malformed', 'with nothing', () => ''],
    ['signature', 'with another payload', ([header, , signature]) => `${header}.e30.${signature}`],
  ])('is %s %s', async (reason, _, change) => {
    expect(reasonFor(change((await sign()).split('.')))).toBe(reason)
  }) // prettier-ignore

  it('is malformed when what was signed is no object', async () => {
    const input = `${headerFor(KEY.kid, 'svc-delegation+jwt')}.${segment('[]')}`
    const signature = Buffer.from(await KEY.signer!.sign(Buffer.from(input))).toString('base64url')
    expect(reasonFor(`${input}.${signature}`)).toBe('malformed')
  })

  it('may have 16384 characters and no more', async () => {
    const empty = (await sign({ session_id: 'x' })).length
    const long = await sign({ session_id: 'x'.repeat(1 + Math.floor(((16_384 - empty) * 3) / 4)) })
    expect([long.length, reasonFor(long)]).toEqual([16_384, 'ok'])
    expect(reasonFor(`${long}A`)).toBe('malformed')
    const longer = await sign({ session_id: 'x'.repeat(12_400) })
    expect(reasonFor(longer)).toBe('malformed')
  })

  it.each([
    ['expired', 2000, 0], ['ok', 1999, 0], ['expired', 2005, 5], ['ok', 2004, 5], ['not_yet', 999, 0], ['ok', 1000, 0], ['not_yet', 994, 5], ['ok', 995, 5],
  ])('is %s at %i with a tolerance of %i s', async (reason, now, toleranceSeconds) => {
    expect(reasonFor(await sign(), { now, toleranceSeconds })).toBe(reason)
  }) // prettier-ignore

  it('is not yet valid before either of its times', async () => {
    expect(reasonFor(await sign({ nbf: 1506 }))).toBe('not_yet')
    expect(reasonFor(await sign({ iat: 1506 }))).toBe('not_yet')
    expect(reasonFor(await sign({ nbf: 1505, iat: 1505 }))).toBe('ok')
  })

  it('is of its issuer', async () => {
    expect(reasonFor(await sign({ iss: 'hotels' }))).toBe('claims')
    expect(reasonFor(await sign({ jti: '' }))).toBe('claims')
  })
})
