/** A network that is left by a proxy alone: what an identity provider and a receiver of events are asked through it. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { providerFetch } from '../../src/runtime/credentials/oidc/provider-fetch.js'
import { postTo } from '../../src/runtime/events/post.js'
import type { Resolve } from '../../src/runtime/net/judged-lookup.js'
import { useEgressProxy } from '../../src/runtime/net/egress.js'
import type { HandlerContext } from '../../src/runtime/definition.js'
import { HandlerFailed, testContext } from '../../src/runtime/testing/index.js'
import {
  httpUpstream,
  UpstreamUncertain,
  type HttpOperation,
  type UpstreamContext,
} from '../../src/runtime/upstream/index.js'
import { httpChannel } from '../../src/runtime/upstream/mcp/http-channel.js'

let folder = ''
let tls = { cert: '', key: '' }
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-egress-'))
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'key.pem', '-out', 'cert.pem', '-subj', '/CN=x', '-addext', 'subjectAltName=DNS:out.example', '-days', '2'], { cwd: folder, stdio: 'ignore' }) // prettier-ignore
  tls = { cert: readFileSync(join(folder, 'cert.pem'), 'utf8'), key: readFileSync(join(folder, 'key.pem'), 'utf8') }
})
afterAll(() => rmSync(folder, { recursive: true }))

const servers: { close(): unknown }[] = []
let asked: string[] = []
let proxy = ''
let isOpen = true
let answer: (request: IncomingMessage, response: ServerResponse) => void

const listen = async (server: ReturnType<typeof createHttpServer>): Promise<number> => {
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}

/** A host outside, and a proxy that leads every tunnel to it. */
beforeEach(async () => {
  asked = []
  isOpen = true
  answer = (_, response) => void response.end('{}')
  const outside = await listen(createServer(tls, (request, response) => {
    asked.push(`${request.method} ${request.headers.host}${request.url}`)
    answer(request, response)
  })) // prettier-ignore
  const server = createHttpServer()
  server.on('connect', ({ url, headers }, socket) => {
    asked.push(`CONNECT ${url} ${headers['proxy-authorization'] ?? 'without a credential'}`)
    if (!isOpen) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    const out = connect(outside, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
    for (const each of [out, socket]) each.on('error', () => undefined)
    out.pipe(socket).pipe(out)
  })
  proxy = `127.0.0.1:${await listen(server)}`
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
})
afterEach(() => {
  useEgressProxy({})
  for (const server of servers.splice(0)) server.close()
  vi.unstubAllEnvs()
})

const unknown: Resolve = (_, done) => done(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }))
const meaning =
  (address: string): Resolve =>
  (_, done) =>
    done(null, [{ address, family: 4 }])

const post = (url: string, resolve: Resolve) =>
  postTo({ url, allowPrivate: false, resolve, withinMs: 3_000 })({}, '{}', new AbortController().signal)
const provider = (resolve: Resolve) => {
  const network = { resolve, isPublic: (address: string) => address !== '10.0.0.1', authorities: tls.cert }
  const fetch = providerFetch({ issuer: 'https://out.example', audience: 'svc' }, network)
  return (url: string): Promise<unknown> =>
    fetch(url, { method: 'GET', headers: {}, signal: AbortSignal.timeout(3_000) }).then(
      ({ status }) => status,
      (error: NodeJS.ErrnoException) => error.code,
    )
}

it('is left through the proxy, by the name that the proxy resolves', async () => {
  useEgressProxy({ HTTPS_PROXY: `http://ana:s%40cret@${proxy}` })
  expect(await post('https://out.example/hook', unknown)).toEqual({ ok: true })
  expect(await provider(unknown)('https://out.example/jwks')).toBe(200)
  const credential = `Basic ${Buffer.from('ana:s@cret').toString('base64')}`
  expect(asked).toEqual([
    `CONNECT out.example:443 ${credential}`, 'POST out.example/hook',
    `CONNECT out.example:443 ${credential}`, 'GET out.example/jwks',
  ]) // prettier-ignore
})

it.each([
  [{ HTTPS_PROXY: 'P' }, 1],
  [{ https_proxy: 'P' }, 1],
  [{ HTTPS_PROXY: 'http://unused.example', https_proxy: 'P' }, 1],
  [{ HTTPS_PROXY: '' }, 0],
  [{ HTTPS_PROXY: 'P', NO_PROXY: 'out.example' }, 0],
  [{ HTTPS_PROXY: 'P', NO_PROXY: 'a.example, .EXAMPLE' }, 0],
  [{ HTTPS_PROXY: 'P', no_proxy: '*' }, 0],
  [{ HTTPS_PROXY: 'P', no_proxy: '*.example' }, 0],
  [{ HTTPS_PROXY: 'P', NO_PROXY: 'out.example:443' }, 0],
  [{ HTTPS_PROXY: 'P', NO_PROXY: 'out.example:8443' }, 1],
  [{ HTTPS_PROXY: 'P', NO_PROXY: 'ut.example,out.example.org' }, 1],
])('with %j %i tunnels lead out', async (environment, tunnels) => {
  const entries = Object.entries(environment).map(([name, value]) => [name, value.replace(/^P$/u, proxy)])
  useEgressProxy(Object.fromEntries(entries) as { HTTPS_PROXY: string })
  await post('https://out.example/hook', unknown)
  expect(asked.filter((each) => each.startsWith('CONNECT'))).toHaveLength(tunnels)
})

it('refuses a name that means a private address here, and a private address', async () => {
  useEgressProxy({ HTTPS_PROXY: proxy })
  const PRIVATE = { ok: false, error: 'the address is private' }
  expect(await post('https://out.example/hook', meaning('10.0.0.1'))).toEqual(PRIVATE)
  expect(await post('https://169.254.169.254/hook', unknown)).toEqual(PRIVATE)
  const meanings = ['8.8.8.8', '10.0.0.1']
  const ask = provider((name, done) => meaning(meanings.shift()!)(name, done))
  expect([await ask('https://out.example/jwks'), await ask('https://out.example/jwks')]).toEqual([200, 'SVC_PRIVATE'])
  expect(asked.filter((each) => each.startsWith('CONNECT'))).toHaveLength(1)
})

it('names a proxy that refuses', async () => {
  isOpen = false
  useEgressProxy({ HTTPS_PROXY: proxy })
  expect(await post('https://out.example/hook', unknown)).toEqual({ ok: false, error: 'no answer (PROXY_403)' })
  expect(await provider(unknown)('https://out.example/jwks')).toBe('PROXY_403')
})

it('refuses an address that is no proxy, without repeating it', () => {
  expect(useEgressProxy({ HTTPS_PROXY: 'socks5://ana:secret@proxy' })).toBe(
    'HTTPS_PROXY must be the http or https address of a proxy, as http://proxy.internal:3128.',
  )
})

/** An effect of a service behind, with a token of its authorization server. */
const PAY: HttpOperation = {
  method: 'POST',
  path: '/pay',
  inputs: { amount: { in: 'body', name: 'amount' } },
  body: { type: 'application/json', as: 'json' },
  output: { members: ['paid'] },
}
const client = { tokenUrl: 'https://out.example/token', clientId: 'id', clientSecret: 'secret' }
const pay = (): Promise<unknown> => {
  const credential = { in: 'header', name: 'Authorization', scheme: 'Bearer', value: undefined, client } as const
  const billing = httpUpstream('billing', () => ({ url: 'https://out.example/api', timeoutMs: 2_000, credential }))
  return billing.call(PAY, { amount: 5 }, testContext<HandlerContext>().context as UpstreamContext)
}
const outcome = (call: Promise<unknown>): Promise<unknown> =>
  call.catch((error: Error) => (error instanceof HandlerFailed ? [error.type, error.message] : error.name))

/** A token, then the amount, packed, as many services behind pack it. */
const sells = (request: IncomingMessage, response: ServerResponse): void => {
  let text = ''
  request.setEncoding('utf8').on('data', (part: string) => (text += part))
  request.on('end', () => {
    const isToken = request.url === '/token'
    const body = isToken ? { access_token: 't1', token_type: 'bearer' } : { paid: (JSON.parse(text) as Amount).amount }
    if (!isToken) asked.push(`${request.headers.authorization}`)
    response.setHeader('content-type', 'application/json').setHeader('content-encoding', 'gzip')
    response.end(gzipSync(JSON.stringify(body)))
  })
}
interface Amount {
  readonly amount: number
}

it('leads to services behind, and to their authorization servers', async () => {
  useEgressProxy({ HTTPS_PROXY: proxy })
  answer = sells
  expect(await pay()).toEqual({ paid: 5 })
  const tunnel = 'CONNECT out.example:443 without a credential'
  expect(asked).toEqual([tunnel, 'POST out.example/token', tunnel, 'POST out.example/api/pay', 'Bearer t1'])
})

it('leads to MCP servers at an address', async () => {
  useEgressProxy({ HTTPS_PROXY: proxy })
  answer = (request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => (text += part))
    request.on('end', () => {
      const { id, method } = JSON.parse(text) as { readonly id?: number; readonly method: string }
      if (id === undefined || method === 'server/discover')
        return void response.writeHead(id === undefined ? 202 : 404).end()
      const begun = {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'n', version: '1' },
      }
      const result = method === 'initialize' ? begun : { tools: [{ name: 'count', inputSchema: { type: 'object' } }] }
      response.setHeader('content-type', 'text/event-stream')
      return void response.end(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`)
    })
  }
  const signal = AbortSignal.timeout(5_000)
  const channel = httpChannel({ url: 'https://out.example/mcp', credential: 'X' }, 'own', () => undefined)
  await channel.begin(signal)
  expect(await channel.ask('tools/list', {}, signal)).toMatchObject({ tools: [{ name: 'count' }] })
  channel.close()
  expect(asked.filter((each) => each.startsWith('CONNECT')).length).toBeGreaterThan(2)
})

it('knows that nothing was sent where the proxy refuses, and not what an answer that does not come leaves behind', async () => {
  useEgressProxy({ HTTPS_PROXY: proxy })
  answer = (request, response) => (request.url === '/token' ? sells(request, response) : void response.destroy())
  expect(await outcome(pay())).toBe(UpstreamUncertain.name)
  answer = (request, response) => {
    isOpen = false
    sells(request, response)
  }
  expect(await outcome(pay())).toEqual(['upstream_unavailable', 'billing did not answer.'])
})
