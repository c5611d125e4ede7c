import { describe, expect, it } from 'vitest'
import { signDetached, verifyDetached } from '../../src/crypto/jws/jws.js'
import { signDelegation, verifyDelegation } from '../../src/crypto/jws/jwt.js'
import { generateRingKey } from '../../src/crypto/keys/key-ring.js'
import type { DelegationClaims } from '../../src/protocol/token.js'
import { leastCpu } from '../cpu-time.js'

const KEY = generateRingKey('tokens', 'active')
const CLAIMS: DelegationClaims = {
  jti: 'tok_1', iss: 'flights', aud: 'flights', sub: 'agent:bot', iat: 1000, nbf: 1000, exp: 2000, scope: ['a', 'b'], root_principal: 'human:ana',
  purpose: { parameters: { task_id: 't', deep: [1, { a: null }] }, task_id: 't' }, capability: 'book', parent_token_id: 'tok_0',
  constraints: { budget: { currency: 'EUR', max_amount: 0.1, mode: 'cumulative' }, max_delegation_depth: 3, concurrent_branches: 'exclusive' },
  caller_class: 'internal', session_id: 's',
} // prettier-ignore
const expected = { keys: [KEY], issuer: 'flights', audience: 'flights', now: 1500, toleranceSeconds: 5 }
const sign = (change: object = {}) => signDelegation(KEY.signer!, { ...CLAIMS, ...change } as DelegationClaims)

describe('a delegation token', () => {
  it('says what was signed', async () => {
    expect(verifyDelegation(await sign(), expected)).toEqual({ ok: true, claims: CLAIMS })
  })

  it('does not verify with any character changed', async () => {
    const jwt = await sign()
    for (let at = 0; at < jwt.length; at++) {
      const other = jwt[at] === 'A' ? 'B' : 'A'
      expect(verifyDelegation(jwt.slice(0, at) + other + jwt.slice(at + 1), expected).ok).toBe(false)
    }
  })

  it.each([
    [1994, 'expired', { exp: 1989 }], [2005, 'expired', {}], [2004, undefined, {}], [994, 'not_yet', {}], [995, undefined, {}],
  ] as const)('at %i is %s', async (now, reason, change) => {
    const verdict = verifyDelegation(await sign(change), { ...expected, now })
    expect(verdict.ok ? undefined : verdict.reason).toBe(reason)
  }) // prettier-ignore

  it.each([
    { iss: 'hotels' }, { aud: 'hotels' }, { aud: [] }, { sub: 'root' }, { sub: 1 }, { root_principal: '' }, { scope: 'a' }, { scope: [1] }, { exp: '2000' },
    { iat: null }, { jti: '' }, { jti: {} }, { capability: 1 }, { purpose: [] }, { purpose: { parameters: 1 } }, { constraints: { max_delegation_depth: '3' } },
    { constraints: { ...CLAIMS.constraints, budget: { currency: 'EUR', max_amount: -1 } } }, { constraints: { ...CLAIMS.constraints, extra: 1 } },
    { constraints: { ...CLAIMS.constraints, concurrent_branches: 'many' } }, { session_id: null },
  ])('is refused with the claims %j', async (change) => {
    expect(verifyDelegation(await sign(change), expected)).toEqual({ ok: false, reason: 'claims' })
  }) // prettier-ignore

  it('V16: is verified by no key that was not given, and never fetched', async () => {
    expect(verifyDelegation(await sign(), { ...expected, keys: [] })).toEqual({ ok: false, reason: 'signature' })
    const audit = generateRingKey('audit', 'active')
    const jwt = await signDelegation(audit.signer!, CLAIMS)
    expect(verifyDelegation(jwt, expected)).toEqual({ ok: false, reason: 'signature' })
  })

  it('V10: keeps its identity when its signature is written as (r, n - s)', async () => {
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
    const [header, payload, signature = ''] = (await sign()).split('.')
    const bytes = Buffer.from(signature, 'base64url')
    const s = order - BigInt(`0x${bytes.subarray(32).toString('hex')}`)
    const twin = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')])
    const verdict = verifyDelegation(`${header}.${payload}.${twin.toString('base64url')}`, expected)
    expect(verdict).toEqual({ ok: true, claims: CLAIMS })
  })

  it('V03: is no detached signature, and a detached signature glued to its payload is no token', async () => {
    const payload = Buffer.from('{"a":1}')
    const detached = await signDetached(KEY.signer!, payload)
    expect(verifyDelegation(detached.replace('..', `.${payload.toString('base64url')}.`), expected).ok).toBe(false)
    expect(verifyDetached(await sign(), Buffer.from(''), [KEY])).toBeUndefined()
  })

  it('V12: is refused at once when it is too long', async () => {
    const long = 'a.'.repeat(500_000)
    expect(verifyDelegation(long, expected)).toEqual({ ok: false, reason: 'malformed' })
    expect(await leastCpu(20, () => verifyDelegation(long, expected))).toBeLessThan(20)
  })
})
