/** What requests and answers say beside their bodies (sections 4 and 9; decisions, section 9). */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { generateRingKey, type RingKey } from '../../src/crypto/keys/key-ring.js'
import { availableIn, failure } from '../../src/protocol/failures.js'
import { readAtMost } from '../../src/runtime/net/read-at-most.js'
import { eventsIn } from '../../src/runtime/http/server-sent-events.js'
import { fetchHandler } from '../../src/runtime/index.js'
import { ADAPTERS } from './fixture/adapters.js'
import { capability } from './fixture/manifest.js'
import { API_KEYS, KEYS, requestOf, startFixture, type Fixture, type Given, type Reply } from './fixture/service.js'

const AUDITOR = { id: 'aud', principal: 'human:aud', sha256: createHash('sha256').update('aud-key').digest('hex'), roles: ['auditor'] } as const // prettier-ignore

const streamOf = (...parts: readonly (string | Uint8Array)[]) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const part of parts) controller.enqueue(typeof part === 'string' ? new TextEncoder().encode(part) : part)
      controller.close()
    },
  })

describe('a client that speaks the version', () => {
  it.each([
    ['0.24.0', 200], ['0.24', 200], ['0.24.9', 200], ['0.23.0', 200], ['0.0', 200],
    ['0.25', 400], ['1.24.0', 400], ['1.0', 400], ['0.24.0.1', 400], ['v0.24', 400], ['0.24-rc', 400], ['24', 400], ['', 400],
  ])('%j is answered with %i', async (version, status) => {
    const { call } = await startFixture()
    const reply = await call('GET', '/.well-known/svc', { headers: { 'x-svc-version': version } })
    expect([reply.status, reply.body['failure']?.['type']]).toEqual([status, status === 200 ? undefined : 'unsupported_version'])
  }) // prettier-ignore
})

describe('a page of a listed origin', () => {
  const start = (given: Given = {}) => startFixture({ origins: ['https://app.example'], ...given })
  const origin = { origin: 'https://app.example' }

  it('may send the headers of the interface, and learns it for ten minutes', async () => {
    const { fetch } = await start()
    const headers = { ...origin, 'access-control-request-method': 'POST' }
    const { headers: allowed } = await fetch(requestOf('OPTIONS', '/svc/invoke/search', { headers }))
    expect(allowed.get('access-control-allow-headers')).toBe('authorization, content-type, idempotency-key, if-none-match, last-event-id, traceparent, tracestate, x-svc-version') // prettier-ignore
    expect([allowed.get('access-control-max-age'), allowed.get('access-control-allow-origin')]).toEqual(['600', 'https://app.example']) // prettier-ignore
  })

  it('may read what signs a document, and when to come back, of refusals, too', async () => {
    const { fetch } = await start()
    const exposed = 'x-svc-signature, etag, retry-after, idempotency-replayed, www-authenticate'
    for (const path of ['/svc/manifest', '/nowhere']) {
      const { headers } = await fetch(requestOf('GET', path, { headers: origin }))
      expect(headers.get('access-control-expose-headers')).toBe(exposed)
    }
  })

  it('is no preflight without saying which method is meant', async () => {
    const { fetch } = await start()
    expect((await fetch(requestOf('OPTIONS', '/svc/tokens', { headers: origin }))).status).toBe(405)
  })

  it('preflights each path with the method that it takes', async () => {
    const { fetch } = await start()
    const headers = { ...origin, 'access-control-request-method': 'GET' }
    const { headers: allowed } = await fetch(requestOf('OPTIONS', '/svc/manifest', { headers }))
    expect(allowed.get('access-control-allow-methods')).toBe('GET, HEAD')
  })
})

describe('a document that the client has', () => {
  it('is not sent again, and keeps its signature and its age', async () => {
    const { fetch } = await startFixture()
    const first = await fetch(requestOf('GET', '/svc/manifest'))
    const headers = { 'if-none-match': first.headers.get('etag')! }
    const again = await fetch(requestOf('GET', '/svc/manifest', { headers }))
    const names = ['etag', 'x-svc-signature', 'cache-control'] as const
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect(names.map((name) => again.headers.get(name))).toEqual(names.map((name) => first.headers.get(name)))
  })

  it('is sent again once it is another one', async () => {
    const { fetch, time } = await startFixture()
    const headers = { 'if-none-match': (await fetch(requestOf('GET', '/svc/manifest'))).headers.get('etag')! }
    time.now += 13 * 3600_000
    expect((await fetch(requestOf('GET', '/svc/manifest', { headers }))).status).toBe(200)
  })

  it.each([['"', 200], ['"a"', 200], ['W/"a"', 200], ['*', 304]])('is asked for by %s: %i', async (tag, status) => {
    const { fetch } = await startFixture()
    expect((await fetch(requestOf('GET', '/.well-known/svc', { headers: { 'if-none-match': tag } }))).status).toBe(status)
  }) // prettier-ignore
})

describe('the key of a service', () => {
  it('leaves the published keys when its time is over, within a minute', async () => {
    const now = Date.parse('2026-03-01T12:00:00.000Z')
    const [manifest, tokens, audit] = KEYS.keys as [RingKey, RingKey, RingKey]
    const old = { ...generateRingKey('tokens', 'retired'), verifyUntil: now + 30_000 }
    const { call, time } = await startFixture({ keys: { keys: [manifest, tokens, audit, old] } })
    const kids = async () => ((await call('GET', '/.well-known/jwks.json')).body['keys'] as unknown as readonly { kid: string }[]).map(({ kid }) => kid) // prettier-ignore
    expect(await kids()).toContain(old.kid)
    time.now += 60_000
    expect(await kids()).toEqual([manifest.kid, tokens.kid, audit.kid])
  })

  it('is published as soon as the keys were read again', async () => {
    const { call, service } = await startFixture()
    const fresh = generateRingKey('tokens', 'next')
    expect(JSON.stringify((await call('GET', '/.well-known/jwks.json')).body)).not.toContain(fresh.kid)
    service.keys.replace({ keys: [...KEYS.keys, fresh] })
    expect(JSON.stringify((await call('GET', '/.well-known/jwks.json')).body)).toContain(fresh.kid)
    expect((await call('GET', '/svc/manifest')).body['service_identity']!['x-keys']).toHaveProperty(fresh.kid)
  })
})

describe('a body', () => {
  it('that is refused leaves the room that it took', async () => {
    const { service, root } = await startFixture({ limits: { bodyBytes: 1000, bodyBytesInFlightPerPrincipal: 2000 } })
    const { token } = await root()
    const send = async (...parts: readonly string[]) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: streamOf(...parts), duplex: 'half' } as RequestInit
      return (await fetchHandler(service)(new Request('http://x/svc/permissions', init))).status
    }
    for (let times = 0; times < 3; times++) expect(await send(' '.repeat(900), ' '.repeat(900))).toBe(413)
    for (let times = 0; times < 3; times++) expect(await send('{', ' '.repeat(800), 'x')).toBe(400)
    expect(await send('{', ' '.repeat(800), '}')).toBe(200)
  })

  it('is counted for the root principal, whichever of its agents sends it', async () => {
    const { service, root } = await startFixture({ limits: { bodyBytesInFlightPerPrincipal: 1_000 } })
    const { token } = await root({ subject: 'agent:b' })
    expect(service.bodies.begin({ pool: 'known', root: 'human:ana', tokens: [] }).take(700)).toBe(true)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: '{"a":1}' }
    expect((await fetchHandler(service)(new Request('http://x/svc/permissions', init))).status).toBe(429)
  })

  it('that comes with an API key is counted for its principal, and not for the address', async () => {
    const { service } = await startFixture({ limits: { bodyBytesInFlightPerPrincipal: 1_000 } })
    const principal = service.bodies.begin({ pool: 'known', root: 'human:ana', tokens: [] })
    expect(principal.take(700)).toBe(true)
    const init = { method: 'POST', headers: { authorization: 'Bearer ana-key', 'content-type': 'application/json' }, body: '{"scope":["travel.search"]}' } // prettier-ignore
    const ask = async (client: string) => (await fetchHandler(service)(new Request('http://x/svc/tokens', init), client)).status // prettier-ignore
    expect([await ask('10.0.0.1'), await ask('10.0.0.2')]).toEqual([429, 429])
    principal.end()
    expect([await ask('10.0.0.1'), await ask('10.0.0.2')]).toEqual([200, 200])
  })

  it.each(ADAPTERS)(
    'of as many bytes as the service takes is read over the %s adapter, and no longer one',
    async (adapter) => {
      const { call, root } = await startFixture({ adapter, limits: { bodyBytes: 1_000 } })
      const { token } = await root()
      const status = async (bytes: number) => (await call('POST', '/svc/permissions', { bearer: token, text: `{${' '.repeat(bytes - 2)}}` })).status // prettier-ignore
      expect([await status(1_000), await status(1_001)]).toEqual([200, 413])
    },
  )

  it('has as many members as the service takes, and not one more', async () => {
    const { call, root } = await startFixture({ limits: { jsonMembers: 3 } })
    const { token } = await root()
    const status = async (text: string) => (await call('POST', '/svc/invoke/search', { bearer: token, text })).status
    expect([await status('{"parameters":{},"task_id":"t","client_reference_id":"c"}'), await status('{"parameters":{},"task_id":"t","client_reference_id":"c","stream":false}')]).toEqual([200, 400]) // prettier-ignore
  })

  it.each([
    ['objects and arrays', '{"parameters":{"a":[[]]}}', '{"parameters":{"a":[[[]]]}}'],
    ['values after a comma', '{"parameters":{"a":1,"b":2,"c":3}}', '{"parameters":{"a":[1,2,3]},"c":[2,3]}'],
  ])('has as many %s as the service takes, and not one more', async (_, fits, more) => {
    const { call, root } = await startFixture({ limits: { jsonValues: 4 } })
    const { token } = await root()
    const detailOf = async (text: string) => (await call('POST', '/svc/invoke/search', { bearer: token, text })).body['failure']?.['detail']
    expect(await detailOf(fits)).not.toContain('values')
    expect(await detailOf(more)).toContain('The JSON has more than 4 values.')
  }) // prettier-ignore

  it.each([
    ['/svc/tokens', 'ana-key', { scope: ['travel.search'], session_id: 'c\u0000d' }],
    ['/svc/tokens', 'ana-key', { scope: ['travel.search'], purpose_parameters: { 'c\u0000d': 1 } }],
    ['/svc/invoke/search', 'token', { parameters: { text: 'c\u0000d' } }],
  ])('to %s with U+0000 by %s is refused, whatever the store', async (path, by, body) => {
    const { post, root } = await startFixture()
    const { token } = await root()
    const reply = await post(path, by === 'token' ? token : by, body)
    expect([reply.status, reply.body['failure']?.['detail']]).toEqual([400, 'The request body is not acceptable JSON: The JSON has the character U+0000.'])
  }) // prettier-ignore

  it.each([
    ['application/json; charset=utf-8', 200], ['application/json;charset="UTF-8"', 200], ['APPLICATION/JSON', 200],
    ['application/json;charset=utf8', 200], ['application/json;', 200], ['application/json; charset=UTF8;', 200],
    ['application/json; charset=utf-16', 415], ['application/jsonp;', 415], ['application/json;;', 415],
    ['application/json; charset=utf-8; x=1', 415], ['text/json', 415], ['application/json, text/plain', 415],
  ])('of the type %s is answered with %i', async (type, status) => {
    const { call, root } = await startFixture()
    const { token } = await root()
    const headers = { 'content-type': type }
    expect((await call('POST', '/svc/permissions', { bearer: token, text: '{}', headers })).status).toBe(status)
  }) // prettier-ignore
})

describe('a stream', () => {
  it('is read up to so many bytes, and given up beyond', async () => {
    const most = async (parts: readonly string[], bytes: number) => {
      const read = await readAtMost(streamOf(...parts).getReader(), bytes)
      return read && Buffer.from(read).toString()
    }
    expect([await most(['ab', 'c'], 3), await most(['ab', 'cd'], 3), await most([], 0)]).toEqual(['abc', undefined, ''])
  })

  it('gives an event that comes in two parts once, and no comment', async () => {
    const seen = []
    const parts = ['event: a\ndata: 1\n', '\n: beat\n\nevent: b\nda', 'ta: "ü"\n\n']
    for await (const event of eventsIn(streamOf(...parts))) seen.push(event)
    expect(seen).toEqual([{ event: 'a', data: '1' }, { event: 'b', data: '"ü"' }]) // prettier-ignore
  })

  it('gives an event that is cut within a letter as it was', async () => {
    const bytes = new TextEncoder().encode('event: a\ndata: "ü€"\n\n')
    for (const cut of [17, 18, 19, 20]) {
      const seen = []
      for await (const event of eventsIn(streamOf(bytes.slice(0, cut), bytes.slice(cut)))) seen.push(event)
      expect(seen).toEqual([{ event: 'a', data: '"ü€"' }])
    }
  })
})

describe('a challenge', () => {
  const search = capability({ minimum_scope: ['travel.search', 'travel.book'] })
  const challenges = async (send: (fixture: Fixture) => Promise<Reply>) => {
    const { status, headers } = await send(await startFixture({ capabilities: { search } }))
    return [status, headers.get('www-authenticate')]
  }

  it.each<[string, (fixture: Fixture) => Promise<Reply>, number, string | null]>([
    ['that nothing came', ({ post }) => post('/svc/permissions', undefined), 401, 'Bearer'],
    ['nothing of another scheme', ({ call }) => call('POST', '/svc/permissions', { headers: { authorization: 'Basic eA==' } }), 401, 'Bearer'],
    ['that a token is not valid', ({ invoke }) => invoke('search', 'x.y.z'), 401, 'Bearer error="invalid_token"'],
    ['that a key is not known', ({ post }) => post('/svc/tokens', 'guess', { scope: ['travel.search'] }), 401, 'Bearer error="invalid_token"'],
    ['that a call lacks a scope', async ({ invoke, root }) => invoke('search', (await root()).token), 403, 'Bearer error="insufficient_scope"'],
    ['that a scope may not be had', ({ post }) => post('/svc/tokens', 'bot-key', { scope: ['travel.book'] }), 403, 'Bearer error="insufficient_scope"'],
    ['nothing of a role', ({ call }) => call('GET', '/-/tokens', { bearer: 'ana-key' }), 403, null],
  ])('says %s', async (_, send, status, challenge) => {
    expect(await challenges(send)).toEqual([status, challenge])
  }) // prettier-ignore
})

describe('a wait that is known', () => {
  it('is said in the header and in the resolution', async () => {
    const { call, root } = await startFixture({ limits: { auditQueriesPerMinute: 0 } })
    const { status, headers, body } = await call('POST', '/svc/audit', { bearer: (await root()).token })
    expect([status, headers.get('retry-after'), body['failure']!['resolution']]).toEqual([
      429,
      '60',
      { action: 'wait_and_retry', recovery_class: 'wait_then_retry', estimated_availability: '1m' },
    ])
  })

  it('of a call is said also', async () => {
    const { invoke, root } = await startFixture({ limits: { invocationsPerMinute: 1 } })
    const { token } = await root()
    await invoke('search', token)
    const { headers, body } = await invoke('search', token)
    expect([headers.get('retry-after'), body['failure']!['resolution']!['estimated_availability']]).toEqual([
      '60',
      '1m',
    ])
  })

  it.each([[0.2, '1s'], [59, '59s'], [60, '1m'], [61, '2m'], [3600, '1h'], [86_400, '24h']])('of %d s reads %s', (seconds, text) => {
    expect(availableIn(failure('rate_limited', 'No.'), seconds).resolution.estimated_availability).toBe(text)
  }) // prettier-ignore
})

describe('filters of the trail', () => {
  it.each(['/svc/audit', '/-/audit'])('that come in the body of %s are asked for as query parameters', async (path) => {
    const { post, root } = await startFixture({ apiKeys: [...API_KEYS, AUDITOR] })
    const bearer = path === '/svc/audit' ? (await root()).token : 'aud-key'
    const { status, body } = await post(path, bearer, { limit: 1, since: '2026-01-01T00:00:00Z' })
    expect([status, body['failure']!['detail']]).toEqual([400, 'The body takes no filters, but has limit, since: send them as query parameters.'])
    expect((await post(path, bearer, {})).status).toBe(200)
    expect((await post(path, bearer, { x: 1 })).body['failure']!['detail']).toBe('The request has unknown members: "x". None is known.')
  }) // prettier-ignore
})
