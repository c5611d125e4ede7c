import { describe, expect, it } from 'vitest'
import { generateRingKey, type KeyRing } from '../../src/crypto/keys/key-ring.js'
import { signDelegation } from '../../src/crypto/jws/jwt.js'
import type { DelegationClaims } from '../../src/protocol/token.js'
import { capability } from '../runtime/fixture/manifest.js'
import { KEYS, requestOf, startFixture, type Fixture } from '../runtime/fixture/service.js'
import { leastCpu } from '../cpu-time.js'

const keyOf = (role: string) => KEYS.keys.find((key) => key.role === role)!.signer!
const typeOf = (reply: { readonly status: number; readonly body: { readonly [name: string]: unknown } }) =>
  `${reply.status} ${String((reply.body['failure'] as { readonly type?: string } | undefined)?.type)}`

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as DelegationClaims

describe('token verification', () => {
  it('V01 V02 hostile JWTs and JWS: the vector sets run in test/runtime/vectors, without one outgoing connection', async () => {
    const { post } = await startFixture()
    const header = Buffer.from(
      '{"alg":"ES256","typ":"svc-delegation+jwt","kid":"x","jku":"http://127.0.0.1:1/"}',
    ).toString('base64url')
    expect(typeOf(await post('/svc/permissions', `${header}.e30.AAAA`, {}))).toBe('401 invalid_token')
  })

  it('V03 no other signed object of the service is a credential', async () => {
    const { fetch, post } = await startFixture()
    const manifest = await fetch(requestOf('GET', '/svc/manifest'))
    const [header, , signature] = manifest.headers.get('x-svc-signature')!.split('.')
    const glued = `${header}.${Buffer.from(await manifest.arrayBuffer())
      .toString('base64url')
      .slice(0, 6000)}.${signature}`
    expect((await post('/svc/permissions', glued, {})).status).toBe(401)
  })

  it.each([
    ['jti', { jti: 'tok_unknown' }],
    ['scope', { scope: ['travel.search', 'travel.all'] }],
    [
      'budget',
      {
        constraints: {
          max_delegation_depth: 3,
          concurrent_branches: 'allowed',
          budget: { currency: 'EUR', max_amount: 9 },
        },
      },
    ],
    ['sub', { sub: 'human:eve' }],
  ])('V04 a stolen token key does not make a token of another %s', async (_, change) => {
    const { root, post } = await startFixture()
    const claims = { ...claimsOf((await root()).token), ...change } as DelegationClaims
    const reply = await post('/svc/permissions', await signDelegation(keyOf('tokens'), claims), {})
    expect(typeOf(reply)).toBe('401 invalid_token')
    expect(JSON.stringify(reply.body)).not.toMatch(/travel\.search|human:|tok_/u)
  })

  it('V05 a row that was changed ends its token, loudly', async () => {
    const fixture = await startFixture()
    const { token, token_id } = await fixture.root()
    const { tokens } = fixture.storage
    const widened = await tokens.chain(token_id)
    Object.assign(tokens, {
      chain: async () => [{ ...widened![0], claims: { ...widened![0].claims, scope: ['everything'] } }],
    })
    expect(typeOf(await fixture.post('/svc/permissions', token, {}))).toBe('401 invalid_token')
    expect((await fixture.call('GET', '/-/ready')).body).toMatchObject({
      status: 'degraded',
      alarms: ['token_integrity'],
    })
    expect(await fixture.storage.audit.query({ limit: 1 })).toMatchObject([
      { entry_type: 'integrity_failure', token_id },
    ])
  })

  it('V06 an expired token is refused beyond the tolerance', async () => {
    const { root, post, time } = await startFixture()
    const { token } = await root({ ttl_hours: 1 })
    time.now += 3600_000 - 1000
    expect((await post('/svc/permissions', token, {})).status).toBe(200)
    time.now += 1000 + 6000
    expect(typeOf(await post('/svc/permissions', token, {}))).toBe('401 token_expired')
  })

  it('V07 a token of the future is refused beyond the tolerance', async () => {
    const { root, post, time } = await startFixture()
    const { token } = await root()
    time.now -= 60_000
    expect(typeOf(await post('/svc/permissions', token, {}))).toBe('401 invalid_token')
  })

  it('V08 a revoked token, parent or grandparent is refused at once', async () => {
    for (const ended of [0, 1, 2]) {
      const fixture = await startFixture()
      const chain = [await fixture.root({ subject: 'agent:0' })]
      for (const depth of [1, 2])
        chain.push(
          await fixture.issued(chain.at(-1)!.token, {
            scope: ['travel.search'],
            subject: `agent:${depth}`,
            parent_token: chain.at(-1)!.token_id,
          }),
        )
      expect((await fixture.invoke('search', chain[2]!.token)).status).toBe(200)
      await fixture.post('/svc/tokens/revoke', 'ana-key', { token_id: chain[ended]!.token_id })
      expect(typeOf(await fixture.invoke('search', chain[2]!.token))).toBe('401 token_revoked')
    }
  })

  it('V09 an expired parent ends its child', async () => {
    const { root, issued, post, time, storage } = await startFixture()
    const parent = await root({ subject: 'agent:a' })
    const child = await issued(parent.token, {
      scope: ['travel.search'],
      subject: 'agent:b',
      parent_token: parent.token_id,
    })
    const chain = await storage.tokens.chain(child.token_id)
    Object.assign(storage.tokens, {
      chain: async () => [{ ...chain![0], claims: { ...chain![0].claims, exp: time.now / 1000 - 60 } }, chain![1]],
    })
    expect(typeOf(await post('/svc/permissions', child.token, {}))).toBe('401 token_expired')
  })

  it('V10 a malleable signature is the same token', async () => {
    const { root, post, invoke } = await startFixture()
    const { token, token_id } = await root()
    const [header, payload, signature] = token.split('.') as [string, string, string]
    const bytes = Buffer.from(signature, 'base64url')
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
    const s = (order - BigInt(`0x${bytes.subarray(32).toString('hex')}`)).toString(16).padStart(64, '0')
    const twin = `${header}.${payload}.${Buffer.concat([bytes.subarray(0, 32), Buffer.from(s, 'hex')]).toString('base64url')}`
    const accepted = (await invoke('search', twin)).status
    await post('/svc/tokens/revoke', 'ana-key', { token_id })
    expect([200, 401]).toContain(accepted)
    expect((await invoke('search', twin)).status).toBe(401)
  })

  it.each(['Bearer\tT', 'Bearer T, Bearer T', 'Token T', ' Bearer'])(
    'V11 the header form %j is refused',
    async (form) => {
      const { root, call } = await startFixture()
      const authorization = form.replaceAll('T', (await root()).token)
      expect((await call('POST', '/svc/permissions', { headers: { authorization }, body: {} })).status).toBe(401)
    },
  )

  it('V11 a token in query, body or cookie does not count', async () => {
    const { root, call } = await startFixture()
    const { token } = await root()
    const attempts = [
      call('POST', `/svc/permissions?access_token=${token}`, { body: {} }),
      call('POST', '/svc/permissions', { body: { token } }),
      call('POST', '/svc/permissions', { headers: { cookie: `token=${token}` }, body: {} }),
    ]
    for (const reply of await Promise.all(attempts)) expect(reply.status).toBe(401)
  })

  it.each([8_000, 64_000, 1_000_000])(
    'V12 a credential of %i characters costs nothing and is not logged',
    async (length) => {
      const { post, logged } = await startFixture()
      const present = () => post('/svc/permissions', `ey.${'x'.repeat(length)}.y`, {})
      expect((await present()).status).toBe(401)
      expect(logged.join('').length).toBeLessThan(500)
      expect(await leastCpu(500, present)).toBeLessThan(500)
    },
  )

  it('V13 bad tokens fill no cache', async () => {
    const { service, post, root } = await startFixture({ limits: { tokenCacheEntries: 4 } })
    const { token } = await root()
    for (let index = 0; index < 500; index++)
      await post('/svc/permissions', `${token.slice(0, -8)}${String(index).padStart(8, 'A')}`, {})
    expect((await post('/svc/permissions', token, {})).status).toBe(200)
    expect(service.limits.tokenCacheEntries).toBe(4)
  })

  it('V14 a warm cache lets nobody in after the revocation was answered', async () => {
    const fixture = await startFixture()
    const { token, token_id } = await fixture.root()
    await fixture.invoke('search', token)
    await fixture.post('/svc/tokens/revoke', 'ana-key', { token_id })
    const replies = await Promise.all(Array.from({ length: 1000 }, () => fixture.invoke('search', token)))
    expect(replies.filter(({ status }) => status !== 401)).toEqual([])
  })

  it('V15 R21 a rotation refuses nobody; old tokens live until their key ends', async () => {
    const [old, next] = [generateRingKey('tokens', 'active'), generateRingKey('tokens', 'next')]
    const others = KEYS.keys.filter((key) => key.role !== 'tokens')
    const ring = (...tokens: KeyRing['keys']): KeyRing => ({ keys: [...others, ...tokens] })
    const fixture = await startFixture({ keys: ring(old, next) })
    const tokens = [await fixture.root()]
    const steps = [
      ring({ ...old, state: 'retired', verifyUntil: fixture.time.now + 3600_000 }, { ...next, state: 'active' }),
      ring({ ...next, state: 'active' }),
    ]
    const all = async () => Promise.all(tokens.map(async ({ token }) => (await fixture.invoke('search', token)).status))
    fixture.service.keys.replace(steps[0]!)
    tokens.push(await fixture.root())
    expect(await all()).toEqual([200, 200])
    fixture.service.keys.replace(steps[1]!)
    expect(await all()).toEqual([401, 200])
  })

  it('V15 four steps of a rotation under steady calls fail none', async () => {
    const [old, next, later] = [
      generateRingKey('tokens', 'active'),
      generateRingKey('tokens', 'next'),
      generateRingKey('tokens', 'next'),
    ]
    const others = KEYS.keys.filter((key) => key.role !== 'tokens')
    const fixture = await startFixture({ keys: { keys: [...others, old] } })
    const retired = { state: 'retired', verifyUntil: fixture.time.now + 3600_000 } as const
    const steps: readonly KeyRing['keys'][] = [
      [old, next],
      [
        { ...old, ...retired },
        { ...next, state: 'active' },
      ],
      [{ ...old, ...retired }, { ...next, state: 'active' }, later],
      [
        { ...old, ...retired },
        { ...next, ...retired },
        { ...later, state: 'active' },
      ],
    ]
    const tokens = [(await fixture.root()).token]
    const statuses: number[] = []
    for (const step of steps) {
      const calls = Array.from({ length: 50 }, (_, index) =>
        fixture.invoke('search', tokens[index % tokens.length]!).then(({ status }) => statuses.push(status)),
      )
      fixture.service.keys.replace({ keys: [...others, ...step] })
      tokens.push((await fixture.root()).token)
      await Promise.all(calls)
    }
    expect(statuses).toEqual(Array.from({ length: 200 }, () => 200))
  })

  it('V15 a retired key stops when its time is over, also for tokens that were verified before', async () => {
    const [old, next] = [generateRingKey('tokens', 'active'), generateRingKey('tokens', 'next')]
    const others = KEYS.keys.filter((key) => key.role !== 'tokens')
    const fixture = await startFixture({ keys: { keys: [...others, old, next] } })
    const { token } = await fixture.root()
    const retired = { ...old, state: 'retired', verifyUntil: fixture.time.now + 60_000 } as const
    fixture.service.keys.replace({ keys: [...others, retired, { ...next, state: 'active' }] })
    const published = async () => JSON.stringify((await fixture.call('GET', '/.well-known/jwks.json')).body)
    expect((await fixture.invoke('search', token)).status).toBe(200)
    expect(await published()).toContain(old.kid)
    fixture.time.now += 60_000
    expect((await fixture.invoke('search', token)).status).toBe(401)
    expect(await published()).not.toContain(old.kid)
  })

  it('V16 a key of another role makes no token', async () => {
    const { root, post } = await startFixture()
    const claims = claimsOf((await root()).token)
    for (const role of ['audit', 'manifest'])
      expect((await post('/svc/permissions', await signDelegation(keyOf(role), claims), {})).status).toBe(401)
  })

  it('V17 a token of another service with the same keys is refused', async () => {
    const other = await startFixture({ manifest: { service_identity: { id: 'hotels' } } })
    const { post } = await startFixture()
    expect((await post('/svc/permissions', (await other.root()).token, {})).status).toBe(401)
  })

  it.each([-3600_000, 3600_000])(
    'V18 a clock that jumps by %i ms crashes nothing and lets no expired token in',
    async (jump) => {
      const fixture: Fixture = await startFixture()
      const { token } = await fixture.root({ ttl_hours: 0.5, concurrent_branches: 'exclusive' })
      fixture.time.now += jump
      expect((await fixture.invoke('search', token)).status).toBe(401)
      fixture.time.now -= jump
      expect((await fixture.invoke('search', token)).status).toBe(200)
    },
  )
})

describe('POST /svc/permissions', () => {
  const capabilities = {
    search: capability(),
    erase: capability({ requires_principal: ['human'] }),
    other: capability({ minimum_scope: ['travel.other'] }),
  }

  it('P01 permissions and invoke agree: the property runs in test/runtime/properties.test.ts', async () => {
    const { root, post, invoke } = await startFixture({ capabilities })
    const { token } = await root({ subject: 'agent:x' })
    const { body } = await post('/svc/permissions', token)
    expect((body['available'] as unknown as { capability: string }[]).map((each) => each.capability)).toEqual([
      'search',
    ])
    expect((await invoke('search', token)).status).toBe(200)
  })

  it('P02 a redacted caller is not told who could grant', async () => {
    const { root, post } = await startFixture({
      capabilities,
      manifest: { metadata_disclosure: { failure_detail: 'redacted' } },
    })
    const { text } = await post('/svc/permissions', (await root({ subject: 'agent:x' })).token).then(({ body }) => ({
      text: JSON.stringify(body),
    }))
    expect(text).not.toMatch(/grantable_by|human:ana|travel\.other/u)
  })

  it('P03 what is not delegable is denied, and has no effect', async () => {
    const effects: unknown[] = []
    const { root, post, invoke } = await startFixture({
      capabilities,
      handlers: { erase: () => (effects.push(1), {}) },
    })
    const { token } = await root({ subject: 'agent:x' })
    expect((await post('/svc/permissions', token)).body['denied']).toMatchObject([
      { capability: 'erase', reason_type: 'non_delegable' },
    ])
    expect([typeOf(await invoke('erase', token)), effects]).toEqual(['403 non_delegable_action', []])
  })

  it.each(['[]', 'null', '"x"', `{"a":"${'x'.repeat(1_000_000)}"}`, '{"__proto__":{"polluted":1}}'])(
    'P04 the body %.30s is refused',
    async (text) => {
      const { root, call } = await startFixture()
      const reply = await call('POST', '/svc/permissions', { bearer: (await root()).token, text })
      expect([reply.status, ({} as { readonly polluted?: unknown }).polluted]).toEqual([400, undefined])
    },
  )

  it('P05 500 capabilities are judged at once, with one read', async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`c${index}`, capability()]))
    const { root, post, storage } = await startFixture({ capabilities: many })
    const { token } = await root()
    let reads = 0
    const chain = storage.tokens.chain
    Object.assign(storage.tokens, { chain: (id: string) => ((reads += 1), chain(id)) })
    await post('/svc/permissions', token)
    expect(reads).toBe(1)
    expect(await leastCpu(500, () => post('/svc/permissions', token))).toBeLessThan(500)
  })
})
