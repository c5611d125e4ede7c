import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { verifyDetached } from '../../src/crypto/jws/jws.js'
import { ADAPTERS } from './fixture/adapters.js'
import { capability, ONE_TIME } from './fixture/manifest.js'
import { KEYS, requestOf, startFixture as startWith, type Given } from './fixture/service.js'

describe.each(ADAPTERS)('over the %s adapter', (adapter) => {
  const startFixture = (given: Given = {}) => startWith({ adapter, ...given })

  describe('the documents', () => {
    it('are served as bytes that caches may keep', async () => {
      const { fetch } = await startFixture()
      for (const path of ['/.well-known/svc', '/.well-known/jwks.json', '/svc/manifest']) {
        const first = await fetch(requestOf('GET', path))
        const etag = first.headers.get('etag')!
        expect([first.status, first.headers.get('content-type'), first.headers.get('x-content-type-options')]).toEqual([
          200,
          'application/json',
          'nosniff',
        ])
        expect(first.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/u)
        for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
          const second = await fetch(requestOf('GET', path, { headers: { 'if-none-match': known } }))
          expect([second.status, await second.text()]).toEqual([304, ''])
        }
        expect((await fetch(requestOf('GET', path, { headers: { 'if-none-match': '"other"' } }))).status).toBe(200)
      }
    })

    it('are a discovery document that lists what there is', async () => {
    const { call } = await startFixture({ manifest: { trust: { level: 'signed' } } })
    expect((await call('GET', '/.well-known/svc')).body).toEqual({
      svc_discovery: {
        version: '0.24.0',
        service_id: 'flights',
        ttl: 300,
        endpoints: {
          manifest: '/svc/manifest', tokens: '/svc/tokens', revocations: '/svc/tokens/revoke', permissions: '/svc/permissions',
          invoke: '/svc/invoke/{capability}', audit: '/svc/audit', graph: '/svc/graph/{capability}', health: '/-/ready',
        },
        capabilities: { search: { description: 'Does something.', contract_version: '1.0.0', side_effect: { type: 'read' }, minimum_scope: ['travel.search'], financial: false } },
        trust: { level: 'signed' },
      },
    })
    expect((await call('GET', '/svc/checkpoints')).status).toBe(404)
    expect((await call('POST', '/svc/approval_grants')).status).toBe(404)
  }) // prettier-ignore

    it('are a manifest whose signature covers its bytes, and which is never served expired', async () => {
      const { fetch, time } = await startFixture()
      const manifestAt = async () => {
        const response = await fetch(requestOf('GET', '/svc/manifest'))
        const bytes = new Uint8Array(await response.arrayBuffer())
        const keys = KEYS.keys.filter((key) => key.role === 'manifest')
        expect(verifyDetached(response.headers.get('x-svc-signature')!, bytes, keys)).toBeDefined()
        return JSON.parse(new TextDecoder().decode(bytes)) as {
          manifest_metadata: { sha256?: string; expires_at: string }
        }
      }
      const manifest = await manifestAt()
      const { sha256, ...metadata } = manifest.manifest_metadata
      expect(sha256).toMatch(/^[0-9a-f]{64}$/u)
      expect(metadata.expires_at).toBe('2026-03-02T12:00:00.000Z')
      time.now += 13 * 3600_000
      expect((await manifestAt()).manifest_metadata.expires_at).toBe('2026-03-03T01:00:00.000Z')
      expect(createHash('sha256').digest('hex')).toHaveLength(64)
    })
  })

  describe('a request', () => {
    it.each([
      ['{"parameters":{},"parameters":{}}', {}, 400, 'invalid_parameters'],
      ['{"parameters":{"a":"\\ud800"}}', {}, 400, 'invalid_parameters'],
      ['{"parameters":', {}, 400, 'invalid_parameters'],
      ['', {}, 400, 'invalid_parameters'],
      ['{}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
      ['{}', { 'content-type': 'application/json; charset=utf-16' }, 415, 'unsupported_media_type'],
      ['{}', { 'content-encoding': 'gzip' }, 415, 'unsupported_media_type'],
      [`{"parameters":${'['.repeat(65)}${']'.repeat(65)}}`, {}, 400, 'invalid_parameters'],
      ['x'.repeat(1024 * 1024 + 1), {}, 413, 'payload_too_large'],
    ])('with the body %.40s and headers %j is refused: %i %s', async (text, headers, status, type) => {
      const { root, call } = await startFixture()
      const { token } = await root()
      const reply = await call('POST', '/svc/invoke/search', { bearer: token, text, headers })
      expect([reply.status, reply.body['failure']?.['type']]).toEqual([status, type])
    })

    it('is not read before the caller is known', async () => {
      const { call } = await startFixture()
      const reply = await call('POST', '/svc/invoke/search', { bearer: 'ey.a.b', text: '{' })
      expect([reply.status, reply.body['failure']?.['type']]).toEqual([401, 'invalid_token'])
    })

    it.each([['PUT'], ['DELETE'], ['HEAD'], ['OPTIONS'], ['PATCH']])(
      'with the method %s is refused',
      async (method) => {
        const { fetch } = await startFixture()
        const response = await fetch(requestOf(method, '/svc/audit'))
        expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
        expect(response.headers.get('access-control-allow-origin')).toBeNull()
      },
    )

    it.each([[undefined], ['Bearer\tx'], ['Bearer x, Bearer x'], ['Basic x'], ['Bearer']])(
      'with Authorization %j is not let in',
      async (authorization) => {
        const { call } = await startFixture()
        const reply = await call(
          'POST',
          '/svc/permissions',
          authorization === undefined ? {} : { headers: { authorization } },
        )
        expect([reply.status, reply.body['failure']?.['type']]).toEqual([401, 'authentication_required'])
        const error = authorization?.startsWith('Bearer') === true ? ' error="invalid_token"' : ''
        expect(reply.headers.get('www-authenticate')).toBe(`Bearer${error}`)
      },
    )

    it.each(['bearer', 'BEARER', 'BeArEr', 'Bearer ', 'Bearer   '])(
      'with the scheme %j is let in (RFC 9110, section 11.1)',
      async (scheme) => {
        const { call, root } = await startFixture()
        const authorization = `${scheme} ${(await root()).token}`
        expect((await call('POST', '/svc/permissions', { headers: { authorization } })).status).toBe(200)
      },
    )

    it('for what is not there says so', async () => {
      const { call } = await startFixture()
      expect((await call('GET', '/nowhere')).body['failure']?.['type']).toBe('not_found')
      expect((await call('GET', '/svc/graph/nowhere')).body['failure']?.['type']).toBe('unknown_capability')
      expect((await call('GET', '/svc/checkpoints/ckp_none')).body['failure']?.['type']).toBe('not_found')
    })

    it('with guesses at keys is slowed down, by client address', async () => {
      const { call } = await startWith({ limits: { badCredentialsPerMinute: 3 } })
      const guess = (client: string, bearer = 'guess') =>
        call('POST', '/svc/tokens', { bearer, client, body: { scope: ['travel.search'] } })
      for (let index = 0; index < 3; index++) expect((await guess('10.0.0.1')).status).toBe(401)
      const slowed = await guess('10.0.0.1')
      expect([slowed.status, slowed.headers.get('retry-after')]).toEqual([429, '20'])
      expect((await guess('10.0.0.2')).status).toBe(401)
      expect((await guess('10.0.0.2', 'ana-key')).status).toBe(200)
    })
  })

  describe('the graph and the health', () => {
    it('are there for everyone', async () => {
    const trip = capability({
      kind: 'composed',
      composition: {
        authority_boundary: 'same_service',
        steps: [{ id: 'find', capability: 'search' }],
        input_mapping: {},
        output_mapping: {},
        failure_policy: { child_clarification: 'propagate', child_denial: 'propagate', child_approval_required: 'propagate', child_error: 'fail_parent' },
        audit_policy: { record_child_invocations: true, parent_task_lineage: true },
      },
    })
    const { call } = await startFixture({ capabilities: { search: capability({ refresh_via: ['trip'] }), trip } })
    expect((await call('GET', '/svc/graph/search')).body).toEqual({
      capability: 'search', requires: [], refresh_via: ['trip'], verify_via: [], composed_of: [], used_by: ['trip'],
    })
    expect((await call('GET', '/svc/graph/trip')).body['composed_of']).toEqual(['search'])
    expect((await call('GET', '/-/live')).body).toEqual({ status: 'live' })
    expect((await call('GET', '/-/ready')).body).toEqual({ status: 'ready', storage: true, keys: true, alarms: [] })
  }) // prettier-ignore
  })
})

describe('what is malformed is refused, and not searched for', () => {
  it.each([
    ['POST', '/svc/audit?invocation_id=abc'],
    ['POST', '/svc/audit?parent_invocation_id=inv-0'],
    ['POST', '/svc/audit?capability=No%20Name'],
    ['POST', '/svc/audit?cursor=x'],
    ['GET', '/svc/approval_requests?cursor=zzz'],
    ['GET', '/svc/approval_requests?capability=-'],
    ['POST', '/svc/audit?approval_request_id=abc'],
    ['POST', '/svc/approval_grants', { approval_request_id: 1 }],
    ['POST', '/svc/tokens/revoke', { token_id: 'ey.a.b' }],
    ['POST', '/svc/tokens', { scope: ['travel.search'], parent_token: 'ey.a.b' }],
    ['POST', '/svc/invoke/search', { parameters: {}, parent_invocation_id: 'abc' }],
    ['POST', '/svc/invoke/search', { parameters: {}, approval_grant: '' }],
  ] as const)('%s %s %j', async (method, path, sent: object | undefined = undefined) => {
    const search = capability({ approval: { required: 'always', grant_policy: ONE_TIME } })
    const { root, call } = await startWith({ capabilities: { search } })
    const { token } = await root()
    const { status, body } = await call(method, path, { bearer: token, ...(sent !== undefined && { body: sent }) })
    expect([status, body['failure']?.['type']]).toEqual([400, 'invalid_parameters'])
  })
})

describe('a text of 256 characters', () => {
  it.each([
    ['🙂'.repeat(256), 200],
    ['🙂'.repeat(257), 400],
    ['x'.repeat(257), 400],
    ['', 200],
  ])(
    'counts code points, and may be empty as a reference of the client (%#)',
    async (client_reference_id, expected) => {
      const { root, invoke } = await startWith()
      const { token } = await root()
      const { status, body } = await invoke('search', token, { parameters: {}, client_reference_id })
      expect([status, body['client_reference_id']]).toEqual([
        expected,
        expected === 200 ? client_reference_id : undefined,
      ])
    },
  )

  it('is found on the trail by a reference that is empty', async () => {
    const { root, invoke, call } = await startWith()
    const { token } = await root()
    await invoke('search', token, { parameters: {}, client_reference_id: '' })
    await invoke('search', token, { parameters: {}, client_reference_id: 'x' })
    const { body } = await call('POST', '/svc/audit?client_reference_id=', { bearer: token })
    expect(body['count']).toBe(1)
  })
})
