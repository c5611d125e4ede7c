/** Whom a bootstrap credential belongs to, and what must be noted before anything is done in that name (section 5.5). */
import { describe, expect, it } from 'vitest'
import type { Principal } from '../../src/protocol/principals.js'
import { noted } from '../../src/runtime/auth/bootstrap.js'
import { tokenCache } from '../../src/runtime/credentials/token-cache.js'
import { sha256Hex } from '../../src/crypto/json/digest.js'
import { generateRingKey } from '../../src/crypto/keys/key-ring.js'
import type { DelegationClaims } from '../../src/protocol/token.js'
import { ROLES } from '../../src/protocol/roles.js'
import { startFixture } from './fixture/service.js'

const SEARCH = { scope: ['travel.search'] }
const ACCOUNT = { issuer: 'https://idp.example', subject: '7' }

describe('a person who is blocked by one name', () => {
  const blocked = async () => {
    const fixture = await startFixture()
    await fixture.storage.accounts.remember(ACCOUNT, 'human:ana')
    await fixture.post('/-/tokens/revoke', 'op-key', { principal: 'human:ana', reason: 'Gone.' })
    const signIn = (principal: Principal) => noted(fixture.service, { principal, credential: ACCOUNT })
    return { ...fixture, signIn }
  }

  it('N01 is blocked by another one, the very first time that it is shown', async () => {
    const { signIn } = await blocked()
    await expect(signIn('oidc:7')).rejects.toThrow('An operator has blocked this credential')
    await expect(signIn('oidc:7')).rejects.toThrow('An operator has blocked this credential')
  })

  it('takes nobody else along', async () => {
    const { service } = await blocked()
    const other = { principal: 'oidc:8', credential: { ...ACCOUNT, subject: '8' } } as const
    expect(await noted(service, other)).toEqual(other)
  })

  it('is let in again when the block is lifted', async () => {
    const { signIn, call, post } = await blocked()
    const { blocks } = (await call('GET', '/-/blocks', { bearer: 'op-key' })).body
    await post(`/-/blocks/${blocks![0]!['block_id']}/lift`, 'op-key', {})
    expect((await signIn('oidc:7')).principal).toBe('oidc:7')
  })
})

it('nobody is let in whose name could not be noted', async () => {
  const { service, storage } = await startFixture()
  const { remember } = storage.accounts
  Object.assign(storage.accounts, { remember: () => Promise.reject(new Error('no connection')) })
  const ana = { principal: 'human:ana', credential: ACCOUNT } as const
  await expect(noted(service, ana)).rejects.toThrow('no connection')
  Object.assign(storage.accounts, { remember })
  await noted(service, ana)
  expect(await storage.accounts.namesOf(['human:ana'])).toEqual(['human:ana'])
})

describe('a hook', () => {
  const start = async (answer: unknown) => {
    const asked: string[] = []
    const authenticate = async (bearer: string) => (asked.push(bearer), answer as Principal)
    const fixture = await startFixture({ authenticate })
    const status = async (bearer: string, body: object = SEARCH) => (await fixture.post('/svc/tokens', bearer, body)).status // prettier-ignore
    return { ...fixture, asked, status }
  }

  it('is not asked whose an API key is, and is asked for every other credential', async () => {
    const { asked, status } = await start('human:hal')
    expect([await status('ana-key'), await status('other')]).toEqual([200, 200])
    expect(asked).toEqual(['other'])
  })

  it('is asked for a key that was revoked: another provider may know it', async () => {
    const { asked, status } = await start(undefined)
    expect([await status('gone-key'), asked]).toEqual([401, ['gone-key']])
  })

  it('says who calls, and never by which key or account', async () => {
    const { issued, storage } = await start({ principal: 'human:hal', credential: { api_key: 'ana' } })
    const { token_id } = await issued('other', SEARCH)
    expect((await storage.tokens.chain(token_id))?.[0]).not.toHaveProperty('credential')
  })

  it.each<[unknown, number]>([
    [{ principal: 'human:hal', scopes: ['travel.search'] }, 200],
    [{ principal: 'human:hal', scopes: [] }, 403],
    [{ principal: 'human:hal', roles: ['operator'] }, 403],
    [{ principal: 'human:hal', roles: ['operator'], scopes: ['travel.search'] }, 200],
    [{ principal: 'human:hal', roles: ['operator', 'owner'], scopes: ['travel.search'] }, 401],
    [{ principal: 'human:hal', scopes: ['travel.search', 1] }, 401],
    [{ principal: 'human:hal', caller_classes: 'internal' }, 401],
    [{ principal: 'hal' }, 401],
    ['hal', 401],
    [['human:hal'], 401],
    [null, 401],
  ])('that answers %j buys with %i', async (answer, expected) => {
    const { status } = await start(answer)
    expect(await status('other')).toBe(expected)
  })

  it('may give a role, which opens what it opens', async () => {
    const { call } = await start({ principal: 'human:hal', roles: ['operator'] })
    expect((await call('GET', '/-/tokens', { bearer: 'other' })).status).toBe(200)
    expect((await call('GET', '/-/metrics', { bearer: 'other' })).status).toBe(403)
  })
})

describe.each(['an API key', 'a hook'])('of roles that %s gives', (from) => {
  const start = (given: object) => {
    const known = { principal: 'human:hal', ...given } as const
    const authenticate = async () => known
    return startFixture(from === 'a hook' ? { authenticate } : { apiKeys: [{ id: 'hal', sha256: sha256Hex('hal'), ...known }] }) // prettier-ignore
  }

  it.each([...ROLES.map((role) => [role]), ROLES].map((roles) => ({ roles })))(
    '$roles buy no scope that is not listed beside them',
    async ({ roles }) => {
      const bought = async (given: object) => {
        const { post } = await start(given)
        return (await post('/svc/tokens', 'hal', SEARCH)).status
      }
      expect([await bought({ roles }), await bought({ roles, scopes: [] })]).toEqual([403, 403])
      expect(await bought({ roles, scopes: ['travel.search'] })).toBe(200)
      expect(await bought({})).toBe(200)
    },
  )
})

describe('tokens that were verified', () => {
  const CLAIMS = { jti: 'tok_1' } as DelegationClaims
  const [one, other] = [generateRingKey('tokens', 'active'), generateRingKey('tokens', 'active')]

  it('are known for as long as the same keys verify', () => {
    const cache = tokenCache(10)
    cache.get('none', [one])
    cache.remember('a', CLAIMS)
    cache.remember('b', '{"jti":"tok_2"}')
    expect([cache.get('a', [one]), cache.get('b', [one]), cache.get('b', [one])]).toEqual([{ jti: 'tok_1' }, { jti: 'tok_2' }, { jti: 'tok_2' }]) // prettier-ignore
  })

  it.each([
    ['another key has taken the place', [other]],
    ['a key was taken away', []],
    ['a key came', [one, other]],
  ])('are forgotten when %s, also for when the keys are those of before', (_, keys) => {
    const cache = tokenCache(10)
    cache.get('none', [one])
    cache.remember('a', CLAIMS)
    expect(cache.get('a', keys)).toBeUndefined()
    expect(cache.get('a', [one])).toBeUndefined()
  })
})
