import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { ADAPTERS } from '../runtime/fixture/adapters.js'
import { API_KEYS, requestOf, startFixture as startWith, type Given } from '../runtime/fixture/service.js'
import { capability } from '../runtime/fixture/manifest.js'
import type { Authenticate } from '../../src/runtime/definition.js'
import { fetchHandler } from '../../src/runtime/index.js'
import { serve, type Running } from '../../src/runtime/node.js'
import { cpuTime, leastCpu } from '../cpu-time.js'

const root = { scope: ['travel.search'] }

describe('bootstrap', () => {
  it('O01 to O12 the provider and its claims: test/runtime/oidc', () => {
    const source = readFileSync('test/runtime/oidc/hostile.test.ts', 'utf8')
    for (const id of ['O01', 'O02', 'O03', 'O04', 'O05', 'O06', 'O07', 'O08', 'O09', 'O10', 'O11', 'O12', 'O14'])
      expect(source).toContain(id)
  })

  it.each<[string, (bearer: string) => unknown, number]>([
    ['a promise of a principal', async () => 'human:ana', 200], ['a principal', () => 'human:ana', 200], ['an identity', () => ({ principal: 'human:ana', scopes: ['travel.search'] }), 200],
    ['an empty string', () => '', 401], ['no class', () => 'root', 401], ['an empty object', () => ({}), 401], ['null', () => null, 401], ['undefined', () => undefined, 401], ['true', () => true, 401],
    ['10 kB', () => `human:${'x'.repeat(10_000)}`, 401], ['a principal with a NUL', () => 'human:a\u0000', 401], ['scopes that are none', () => ({ principal: 'human:ana', scopes: 'all' }), 401],
    ['an exception', () => { throw new Error('no') }, 401], ['a rejection', () => Promise.reject(new Error('no')), 401], ['nothing, ever', () => new Promise(() => undefined), 401],
  ])('O13 a hook that gives %s', async (_, authenticate, status) => {
    const { post } = await startWith({ authenticate: authenticate as Authenticate, limits: { authenticateTimeoutMs: 30 } })
    expect((await post('/svc/tokens', 'some-credential', root)).status).toBe(status)
  }) // prettier-ignore

  it('O14 a delegation JWT is never tried as a bootstrap credential', async () => {
    const asked: string[] = []
    const fixture = await startWith({ authenticate: (bearer) => (asked.push(bearer), 'human:eve') })
    const { token } = await fixture.root()
    expect((await fixture.post('/svc/tokens', token, root)).status).toBe(403)
    expect(asked).toEqual([])
  })

  it('B02 a key is given by its hash only, and a weak one cannot be written down', async () => {
    await expect(startWith({ apiKeys: [{ id: 'weak', principal: 'human:x', sha256: 'secret' }] })).rejects.toThrow(
      'sha256 must be 64 lower-case hex digits',
    )
  })

  it('B03 a revoked key ends at once, the other key of the principal does not', async () => {
    const [first] = API_KEYS
    const { post } = await startWith({
      apiKeys: [
        { ...first!, id: 'old', revoked: true },
        { ...API_KEYS[2]!, id: 'new', principal: first!.principal },
      ],
    })
    expect((await post('/svc/tokens', 'ana-key', root)).status).toBe(401)
    expect((await post('/svc/tokens', 'bot-key', root)).status).toBe(200)
  })
})

it('B03 the trail names the key that bought a token by its id', async () => {
  const { issued, root: rooted, trail } = await startWith()
  const parent = await rooted()
  await issued('ana-key', { ...root, parent_token: parent.token_id })
  await issued(parent.token, { ...root, parent_token: parent.token_id, subject: 'agent:x' })
  expect((await trail(parent.token)).map(({ credential }) => credential)).toEqual([
    undefined,
    { api_key: 'ana' },
    { api_key: 'ana' },
  ])
})

let running: Running | undefined
afterEach(async () => {
  await running?.close()
  running = undefined
})

async function start(given: Given = {}) {
  const fixture = await startWith(given)
  running = await serve(fixture.service, { port: 0 })
  return { ...fixture, url: running.url }
}

const raw = (url: string, text: string, ms = 3000): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname, () => socket.write(text))
    let answer = ''
    socket.on('data', (part) => (answer += part.toString()))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(answer))
    socket.setTimeout(ms, () => socket.destroy())
  })

const knock = (port: number, host: string) =>
  new Promise<'open' | 'refused'>((resolve) => {
    const socket = connect(port, host, () => (socket.destroy(), resolve('open')))
    socket.on('error', () => resolve('refused'))
  })

describe.each(ADAPTERS)('the HTTP layer, over the %s adapter', (adapter) => {
  const startFixture = (given: Given = {}) => startWith({ adapter, ...given })

  it('H01 a body over the cap is refused and the connection closed, announced or in chunks', async () => {
    const fixture = await start()
    const { token } = await fixture.root()
    const head = `POST /svc/permissions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`
    expect(await raw(fixture.url, `${head}Content-Length: 99999999\r\n\r\n{`)).toMatch(
      /^HTTP\/1\.1 413 [\s\S]*connection: close/iu,
    )
    const chunk = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`
    expect(await raw(fixture.url, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(20)}`)).toMatch(
      /^HTTP\/1\.1 413 /u,
    )
  })

  it('H01 a length that is announced too short is no way around the cap, where no server counts', async () => {
    const { service, root: issue } = await startFixture({ limits: { bodyBytes: 1000 } })
    const { token } = await issue()
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': '2' }
    const start = (controller: ReadableStreamDefaultController) => {
      for (let part = 0; part < 3; part++) controller.enqueue(Buffer.from(' '.repeat(600)))
      controller.close()
    }
    const body = new ReadableStream({ start })
    const request = new Request('http://x/svc/permissions', { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
    expect((await fetchHandler(service)(request)).status).toBe(413)
  }) // prettier-ignore

  it('H02 H03 slow headers and bodies are given up', async () => {
    const { url } = await start({ limits: { requestTimeoutMs: 1000 } })
    expect(await raw(url, 'GET /-/live HTTP/1.1\r\nHost: x\r\nX-Slow: ', 6000)).toMatch(/^HTTP\/1\.1 408 /u)
    expect(await raw(url, 'POST /svc/permissions HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{', 6000)).toMatch(
      /^HTTP\/1\.1 (?:408|401) /u,
    )
  }, 20_000)

  it('H04 large header blocks are refused', async () => {
    const { url } = await start()
    expect(await raw(url, `GET /-/live HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /u,
    )
  })

  it.each([
    'Content-Length: 2\r\nTransfer-Encoding: chunked',
    'Content-Length: 2\r\nContent-Length: 3',
    'Transfer-Encoding:\r\n chunked',
    'Transfer-Encoding: xchunked',
    'Transfer-Encoding: identity, chunked',
    'X: HTTP/1.0\r\nTransfer-Encoding: chunked',
  ])('H05 %j smuggles nothing', async (headers) => {
    const { url } = await start()
    const version = headers.startsWith('X: HTTP/1.0') ? '1.0' : '1.1'
    const answer = await raw(
      url,
      `POST /svc/permissions HTTP/${version}\r\nHost: x\r\n${headers}\r\n\r\n0\r\n\r\nGET /-/live HTTP/1.1\r\nHost: x\r\n\r\n`,
    )
    expect(answer).not.toContain('"live"')
    expect(answer).toMatch(/^HTTP\/1\.1 (?:400|501) /u)
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    '',
    'application/json; charset=utf-16',
    'application/jsonp',
  ])('H06 the content type %j is refused', async (type) => {
    const fixture = await startFixture()
    const { token } = await fixture.root()
    expect(
      (
        await fixture.call('POST', '/svc/invoke/search', {
          bearer: token,
          text: '{}',
          headers: { 'content-type': type },
        })
      ).status,
    ).toBe(415)
  })

  it('H07 no answer allows another origin, and a preflight is not let through', async () => {
    const { fetch } = await startFixture()
    for (const request of [
      requestOf('GET', '/.well-known/svc', { headers: { origin: 'https://evil.example' } }),
      requestOf('OPTIONS', '/svc/tokens', {
        headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
      }),
    ]) {
      const { headers } = await fetch(request)
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  it('H07 a listed origin is named exactly, without a wildcard or credentials, and its preflight needs no token', async () => {
    const { fetch } = await startFixture({ origins: ['https://app.example'] })
    const send = async (method: string, origin: string) => {
      const headers = { origin, ...(method === 'OPTIONS' && { 'access-control-request-method': 'POST' }) }
      return fetch(requestOf(method, method === 'OPTIONS' ? '/svc/tokens' : '/.well-known/svc', { headers }))
    }
    const [mine, foreign] = [await send('GET', 'https://app.example'), await send('GET', 'https://app.example.evil')]
    expect([mine.headers.get('access-control-allow-origin'), mine.headers.get('vary')]).toEqual(['https://app.example', 'accept-encoding, origin'])
    expect([foreign.headers.get('access-control-allow-origin'), foreign.headers.get('vary')]).toEqual([null, 'accept-encoding, origin'])
    const asked = await send('OPTIONS', 'https://app.example')
    expect([asked.status, asked.headers.get('access-control-allow-methods'), asked.headers.get('access-control-allow-credentials')]).toEqual([204, 'POST', null])
    expect((await send('OPTIONS', 'https://app.example.evil')).status).toBe(405)
  }) // prettier-ignore

  it.each(['*', 'https://app.example/', 'app.example', 'null'])(
    'H07 the origin %s is refused at start',
    async (origin) => {
      await expect(startFixture({ origins: [origin] })).rejects.toThrow('must be a scheme, a host')
    },
  )

  it('H08 what is secret is not cached', async () => {
    const fixture = await startFixture()
    const { token } = await fixture.root()
    for (const reply of [
      await fixture.post('/svc/tokens', 'ana-key', root),
      await fixture.invoke('search', token),
      await fixture.post('/svc/audit', token),
      await fixture.post('/svc/permissions', token),
    ])
      expect([reply.headers.get('cache-control'), reply.headers.get('x-content-type-options')]).toEqual([
        'no-store',
        'nosniff',
      ])
  })

  it('H09 H15 thousands of odd requests give no fault, no internals, and hold up nobody', async () => {
    const fixture = await startFixture({ limits: { badCredentialsPerMinute: 1e6, tokensPerMinute: 1e6 } })
    const { token } = await fixture.root()
    let slowest = 0
    const bodies = [
      '{',
      '[]',
      'null',
      '{"parameters":{}}',
      '{"scope":[1]}',
      '{"token_id":{}}',
      '\u0000',
      '{"a":'.repeat(50),
      '"x"',
      '{"grant_type":"one_time","approval_request_id":[]}',
    ]
    const paths = [
      '/svc/tokens',
      '/svc/tokens/revoke',
      '/svc/permissions',
      '/svc/invoke/search',
      '/svc/audit?x=%ff',
      '/svc/checkpoints/%2e%2e',
      '/svc/graph/%00',
      '/%',
      '/svc/invoke/%E0%A4%A',
      '//svc/audit',
    ]
    for (let round = 0; round < 10; round++)
      for (const text of bodies)
        for (const path of paths) {
          const ask = () =>
            fixture.call(round % 2 === 0 ? 'POST' : 'PUT', path, {
              bearer: round % 3 === 0 ? token : 'ana-key',
              text,
            })
          const start = cpuTime()
          const { status, body } = await ask()
          const took = cpuTime() - start
          slowest = Math.max(slowest, took < 250 ? took : await leastCpu(250, ask))
          expect(status).toBeLessThan(500)
          expect(JSON.stringify(body)).not.toMatch(/node_modules|\.ts:|select |sqlite/iu)
        }
    expect(slowest).toBeLessThan(250)
  })

  it('H10 the address that a client claims does not matter', async () => {
    const { call } = await startFixture({ limits: { badCredentialsPerMinute: 2 } })
    const statuses = []
    for (let index = 0; index < 4; index++)
      statuses.push(
        (
          await call('POST', '/svc/tokens', {
            bearer: 'guess',
            client: '10.0.0.1',
            body: root,
            headers: { 'x-forwarded-for': `10.9.9.${index}` },
          })
        ).status,
      )
    expect(statuses).toEqual([401, 401, 429, 429])
  })

  it.each(['OPTIONS', 'PUT', 'DELETE', 'PATCH'])('H11 %s is not allowed', async (method) => {
    const { fetch } = await startFixture()
    for (const path of ['/svc/tokens', '/.well-known/svc'])
      expect((await fetch(requestOf(method, path, { headers: { 'x-http-method-override': 'POST' } }))).status).toBe(405)
  })

  it('H11 HEAD is GET without a body, and nothing where there is no GET', async () => {
    const { url } = await start()
    for (const path of ['/.well-known/svc', '/svc/manifest', '/-/live']) {
      const [head, whole] = [await fetch(`${url}${path}`, { method: 'HEAD' }), await fetch(`${url}${path}`)]
      expect([head.status, await head.text(), head.headers.get('etag'), head.headers.get('content-type')]).toEqual([200, '', whole.headers.get('etag'), 'application/json'])
    }
    const refused = await fetch(`${url}/svc/tokens`, { method: 'HEAD', headers: { 'x-http-method-override': 'POST' } })
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST'])
  }) // prettier-ignore

  it('H11 TRACE is not allowed', async () => {
    const { url } = await start()
    expect(await raw(url, 'TRACE /-/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 (?:4|5)\d\d /u,
    )
  })

  it('H13 a stop lets nothing that was begun be lost', async () => {
    const begun: number[] = []
    const slow = () => new Promise((resolve) => (begun.push(1), setTimeout(resolve, 100, {})))
    const fixture = await start({
      capabilities: { act: capability({ side_effect: { type: 'write' } }) },
      handlers: { act: slow },
    })
    const { token } = await fixture.root()
    const send = () =>
      fetch(`${fixture.url}/svc/invoke/act`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{"parameters":{}}',
      })
    const answers = Array.from({ length: 10 }, () => send().then(({ status }) => status))
    while (begun.length < 10) await new Promise((resolve) => setTimeout(resolve, 1))
    const stopped = running!.close()
    expect((await fixture.call('GET', '/-/ready')).status).toBe(503)
    const statuses = await Promise.all(answers)
    await stopped
    const entries = await fixture.storage.audit.query({ capability: 'act', limit: 100 })
    expect(entries.length).toBe(statuses.filter((status) => status === 200).length)
    expect(entries.length).toBe(10)
  })

  it('H13 a connection that was accepted before the stop is answered, and told to end', async () => {
    const { url } = await start()
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    await new Promise((resolve) => socket.once('connect', resolve))
    const stopped = running!.close()
    await expect.poll(() => knock(Number(port), hostname)).toBe('refused')
    socket.write('GET /-/live HTTP/1.1\r\nHost: x\r\n\r\n')
    const answer = await new Promise<string>((resolve) => socket.once('data', (part) => resolve(part.toString())))
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*connection: close/iu)
    await stopped
  })

  it('an exception that nothing catches is logged before the process ends', async () => {
    const { logged } = await start()
    const listeners = process.listenerCount('SIGTERM')
    const [tell] = process.listeners('uncaughtExceptionMonitor').slice(-1)
    tell!(new Error('stray'), 'uncaughtException')
    expect(logged.join('\n')).toMatch(/an exception was not caught.*stray/u)
    await running!.close()
    expect(process.listenerCount('SIGTERM')).toBe(listeners - 1)
  })

  it('H14 health shows no internals, and is not ready without its store', async () => {
    const fixture = await startFixture()
    expect(JSON.stringify((await fixture.call('GET', '/-/ready')).body)).not.toMatch(/\/|\d\.\d|sqlite/u)
    Object.assign(fixture.storage, { ready: () => Promise.reject(new Error('no')) })
    const reply = await fixture.call('GET', '/-/ready')
    expect([reply.status, reply.body['status']]).toEqual([503, 'unavailable'])
  })
})
