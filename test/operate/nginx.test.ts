/** A service behind Debian's nginx: with its defaults, and with the configuration of docs/guides/behind-a-proxy.md. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { webConsole } from '../../src/console/index.js'
import { mcp } from '../../src/runtime/surfaces/mcp/index.js'
import { serve, type Running } from '../../src/runtime/node.js'
import { capability } from '../runtime/fixture/manifest.js'
import { startFixture } from '../runtime/fixture/service.js'
import { debianProgram } from './debian.js'
import { startProxy, type Proxy } from './proxy.js'

const NGINX = debianProgram('nginx', 'nginx', 'usr/sbin')
const HOST = 'svc.example'
/** Each way. */
const RELAY_MS = 25

let folder = ''
let running: Running
let relay: Proxy
let token = ''
const servers: ChildProcess[] = []

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  server.close()
  return port
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-nginx-'))
  const handlers = {
    search: async (_: never, context: { progress(data: number): Promise<void> }) => {
      for (const step of [1, 2, 3]) {
        await context.progress(step)
        await sleep(500)
      }
      return {}
    },
    look: () => ({}),
  }
  const capabilities = { search: capability({ response_modes: ['unary', 'streaming'] }), look: capability() }
  const { service, root } = await startFixture({ capabilities, handlers: handlers as never, clock: Date.now })
  token = (await root()).token
  running = await serve(service, { port: 0, publicUrl: `https://${HOST}`, surfaces: [mcp()] })
  relay = await startProxy(Number(new URL(running.url).port))
  relay.delay(RELAY_MS)
})
afterAll(async () => {
  for (const server of servers) server.kill('SIGTERM')
  relay.close()
  await running.close()
  rmSync(folder, { recursive: true })
})

/** Folders that a package which is not installed has not made. */
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

/** Debian's own nginx.conf around a site; what it writes goes into a folder of the test. */
async function started(
  name: string,
  site: (port: number) => string,
  { port, base = '' }: { readonly port?: number; readonly base?: string } = {},
): Promise<number> {
  port ??= await freePort()
  const [conf, own] = [join(folder, `${name}.conf`), join(folder, `${name}-site.conf`)]
  writeFileSync(own, site(port))
  const text = `pid ${folder}/${name}.pid;
error_log ${folder}/${name}-error.log;
daemon off;
events { worker_connections 768; }
http {
  sendfile on;
  tcp_nopush on;
  types_hash_max_size 2048;
  default_type application/octet-stream;
  access_log ${folder}/${name}-access.log;
  gzip on;
${TEMPORARY.map((kind) => `  ${kind}_temp_path ${folder}/${kind};`).join('\n')}
  include ${own};
}
`
  writeFileSync(conf, text)
  const server = spawn(NGINX, ['-c', conf, '-p', folder], { stdio: 'inherit' })
  servers.push(server)
  const answers = () => fetch(`http://127.0.0.1:${port}${base}/-/live`).then(({ ok }) => expect(ok).toBe(true))
  await vi.waitFor(answers, { timeout: 10_000 })
  return port
}

const serviceUrl = (at: Proxy = relay): string => `127.0.0.1:${at.port}`

const DEFAULTS = (port: number): string =>
  `server { listen 127.0.0.1:${port}; location / { proxy_pass http://${serviceUrl()}; } }`

/** The configuration of the guide, without its certificate, on a port of the test. */
const ours =
  (service: string) =>
  (port: number): string =>
    /```nginx\n([\s\S]*?)```/u
      .exec(readFileSync('docs/guides/behind-a-proxy.md', 'utf8'))![1]!
      .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
      .replaceAll(/^ *ssl_certificate.*\n/gmu, '')
      .replace('127.0.0.1:4100', service)

const OURS = (port: number): string => ours(serviceUrl())(port)

const post = (port: number, path: string, body: object, headers: object = {}): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { host: HOST, authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

/** ms from the request to the first event, and to the last. */
async function eventTimes(port: number): Promise<readonly [number, number]> {
  const begun = performance.now()
  const response = await post(port, '/svc/invoke/search', { parameters: {}, stream: true })
  const times: number[] = []
  for await (const _ of response.body!) times.push(performance.now() - begun)
  return [times[0]!, times.at(-1)!]
}

/** One call over a connection that an agent keeps: its status. */
const callBy = (agent: Agent, port: number): Promise<number> =>
  new Promise((resolve) => {
    const body = '{"parameters":{}}'
    const headers = { host: HOST, authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': body.length } // prettier-ignore
    const sent = request({ port, method: 'POST', path: '/svc/invoke/look', agent, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    sent.on('error', () => resolve(0))
    sent.end(body)
  })

const INITIALIZE = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } } } // prettier-ignore

describe.each([
  ['its defaults', 'defaults', DEFAULTS],
  ['the configuration of the guide', 'ours', OURS],
])('nginx with %s', (_, name, site) => {
  let port = 0
  beforeAll(async () => void (port = await started(name, site)))

  it('hands on each event when it happens', async () => {
    const [first, last] = await eventTimes(port)
    expect(first).toBeLessThan(700)
    expect(last).toBeGreaterThan(1_400)
  })

  it('serves MCP', async () => {
    const response = await post(port, '/mcp', INITIALIZE, { accept: 'application/json, text/event-stream' })
    expect(response.status).toBe(200)
    await response.body?.cancel()
  })

  it('repeats no connection that the service is closing: 48 that are used again after 6 s', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 48 })
    const statuses: number[] = []
    for (const pause of [0, 5_900, 6_000, 6_100]) {
      await sleep(pause)
      statuses.push(...(await Promise.all(Array.from({ length: 48 }, () => callBy(agent, port)))))
    }
    agent.destroy()
    expect(statuses.filter((status) => status !== 200)).toEqual([])
    expect(statuses).toHaveLength(192)
  })
})

/** Connections of nginx to the service that are new where 48 calls come again after a time. */
async function openedAfter(ms: number, port: number, to: Proxy): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 48 })
  const call = () => Promise.all(Array.from({ length: 48 }, () => callBy(agent, port)))
  await call()
  const before = to.opened()
  await sleep(ms)
  const statuses = await call()
  agent.destroy()
  expect(statuses.filter((status) => status !== 200)).toEqual([])
  return to.opened() - before
}

describe('connections that nginx keeps to the service', () => {
  it('are there after 58 s: nginx ends them after 60, the service after 65', async () => {
    expect(await openedAfter(58_000, await started('kept', OURS), relay)).toBe(0)
  })

  it('are new where the service ends them after 5 s', async () => {
    const { service, root } = await startFixture({ capabilities: { look: capability() }, handlers: { look: () => ({}) } as never, clock: Date.now, limits: { keepAliveMs: 5_000 } }) // prettier-ignore
    const hasty = await serve(service, { port: 0, publicUrl: `https://${HOST}` })
    const way = await startProxy(Number(new URL(hasty.url).port))
    const own = token
    token = (await root()).token
    try {
      expect(await openedAfter(8_000, await started('hasty', ours(serviceUrl(way))), way)).toBe(48)
    } finally {
      token = own
      way.close()
      await hasty.close()
    }
  })
})

/** nginx with a shop at its root, and the service below /agents; `to` is the path that takes the place of /agents/. */
const below =
  (service: string, to: string) =>
  (port: number): string =>
    `server {
  listen 127.0.0.1:${port};
  proxy_set_header Host $http_host;
  location / { return 200 "the shop"; }
  location /agents/ { proxy_pass ${service}${to}; }
  location = /.well-known/oauth-protected-resource/agents/mcp { proxy_pass ${service}; }
}`

describe.each([
  ['takes the path away', 'taken', '/'],
  ['leaves the path', 'left', ''],
])('nginx before a service below a path %s:', (_, name, to) => {
  let url = ''
  let own = ''
  let service: Running
  const get = async (path: string): Promise<readonly [number, string]> => {
    const response = await fetch(url + path)
    return [response.status, await response.text()]
  }

  beforeAll(async () => {
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    const oidc = [{ issuer: 'http://127.0.0.1:9', audience: 'x', entitlements: () => ({}) }] as never
    const { service: made, root } = await startFixture({ capabilities: { look: capability() }, handlers: { look: () => ({}) } as never, clock: Date.now, oidc }) // prettier-ignore
    own = (await root()).token
    service = await serve(made, {
      port: 0,
      publicUrl: `${url}/agents`,
      surfaces: [mcp(), webConsole({ clientId: 'c' })],
    })
    await started(name, below(service.url, to), { port, base: '/agents' })
  })
  afterAll(() => service?.close())

  it('discovery names its endpoints below the path, and what is beside it is the shop', async () => {
    const [status, text] = await get('/agents/.well-known/svc')
    const { endpoints } = (JSON.parse(text) as { svc_discovery: { endpoints: { invoke: string } } }).svc_discovery
    expect([status, endpoints.invoke]).toEqual([200, '/agents/svc/invoke/{capability}'])
    expect(await get('/svc/invoke/look')).toEqual([200, 'the shop'])
  })

  it('a call is answered', async () => {
    const headers = { authorization: `Bearer ${own}`, 'content-type': 'application/json' }
    const response = await fetch(`${url}/agents/svc/invoke/look`, {
      method: 'POST',
      headers,
      body: '{"parameters":{}}',
    })
    expect([response.status, await response.json()]).toMatchObject([200, { success: true }])
  })

  it('MCP names its metadata, which is at the root', async () => {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const refused = await fetch(`${url}/agents/mcp`, { method: 'POST', headers, body: JSON.stringify(INITIALIZE) })
    const [, metadata] = /resource_metadata="([^"]+)"/u.exec(refused.headers.get('www-authenticate') ?? '') ?? []
    expect([refused.status, metadata]).toEqual([401, `${url}/.well-known/oauth-protected-resource/agents/mcp`])
    const [status, text] = await get(new URL(metadata!).pathname)
    expect([status, JSON.parse(text)]).toMatchObject([200, { resource: `${url}/agents/mcp` }])
  })

  it('the console and each of its files are there', async () => {
    const [status, page] = await get('/agents/-/console/')
    const files = [...page.matchAll(/(?:src|href)="([^"]+)"/gu)].map(([, file]) => file!)
    expect([status, files.length]).toEqual([200, 4])
    for (const file of files) expect([file, (await get(file))[0]]).toEqual([expect.stringMatching(/^\/agents\/-\/console\/assets\//u), 200]) // prettier-ignore
  })
})
