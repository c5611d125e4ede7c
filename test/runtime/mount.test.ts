import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connect, type Governance } from '../../src/client/index.js'
import { StartUpError } from '../../src/runtime/errors/start-up-error.js'
import { mount, type MountOptions } from '../../src/runtime/mount.js'
import { serve } from '../../src/runtime/node.js'
import { mcp } from '../../src/runtime/surfaces/mcp/index.js'
import { webConsole } from '../../src/console/index.js'
import { API_KEYS, startFixture, type Given } from './fixture/service.js'

const AT = 'https://shop.example/agents'

async function mounted(options: MountOptions = { basePath: '/agents' }, given: Given = {}) {
  const fixture = await startFixture(given)
  const agents = await mount(fixture.service, options)
  onTestFinished(agents.close)
  return { ...fixture, agents }
}

async function listening(handler: RequestListener): Promise<string> {
  const server = createServer(handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const json = (bearer: string, body: object = {}, headers: object = {}): RequestInit => ({
  method: 'POST',
  headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

const call = async (url: string, ...[input, init]: [string, RequestInit?]) => {
  const response = await fetch(url + input, init)
  return [response.status, await response.text()] as const
}

describe('in an application of node:http', () => {
  it('answers below its base path, and hands on what is not', async () => {
    const { agents } = await mounted()
    const url = await listening((request, response) => agents.node(request, response, () => response.end('the shop')))
    expect(await call(url, '/')).toEqual([200, 'the shop'])
    expect(await call(url, '/svc/tokens')).toEqual([200, 'the shop'])
    const [status, text] = await call(url, '/agents/.well-known/svc')
    const { endpoints } = JSON.parse(text).svc_discovery
    expect([status, endpoints.tokens, endpoints.invoke]).toEqual([200, '/agents/svc/tokens', '/agents/svc/invoke/{capability}'])
  }) // prettier-ignore

  it('answers what is not below it as not found, where nobody else would', async () => {
    const { agents } = await mounted()
    const url = await listening((request, response) => agents.node(request, response))
    expect(await call(url, '/svc/tokens')).toEqual([404, expect.stringContaining('"type":"not_found"')])
  })

  it('is called by a client whose address has the path', async () => {
    const { agents } = await mounted()
    const baseUrl = `${await listening(agents.node)}/agents`
    interface Client extends Governance<Client> {}
    const client = connect<Client>({ baseUrl, credential: 'ana-key' }, {})
    const issued = await client.delegate({ scope: ['travel.search'] })
    if (!issued.success) throw new Error(issued.failure.detail)
    expect(await issued.client.invoke('search')).toMatchObject({ success: true })
  })
})

describe('in a framework', () => {
  it('answers where the path that it is used at is cut off, as Express and Connect do', async () => {
    const { agents } = await mounted()
    const url = await listening((request, response) => {
      const cut = Object.assign(request, { originalUrl: request.url, url: request.url?.slice('/agents'.length) })
      agents.node(cut, response)
    })
    expect((await call(url, '/agents/svc/tokens', json('ana-key', { scope: ['travel.search'] })))[0]).toBe(200)
  })

  it('refuses a body that a parser before it has read, and says so', async () => {
    const { agents } = await mounted()
    const url = await listening((request, response) => request.resume().on('end', () => agents.node(request, response)))
    const [status, text] = await call(url, '/agents/svc/tokens', json('ana-key', { scope: ['travel.search'] }))
    expect([status, JSON.parse(text).failure]).toMatchObject([
      500,
      { type: 'internal_error', detail: expect.stringContaining('before body parsers such as express.json()') },
    ])
  })
})

describe('as a handler of web requests', () => {
  it('answers below its base path, and nothing else', async () => {
    const { agents } = await mounted()
    const status = async (path: string) => (await agents.fetch(new Request(`https://shop.example${path}`))).status
    expect(await Promise.all(['/agents/.well-known/svc', '/svc/tokens', '/'].map(status))).toEqual([200, 404, 404])
  })

  it('refuses a body that was read before, and says so', async () => {
    const { agents } = await mounted()
    const request = new Request(`${AT}/svc/tokens`, json('ana-key', { scope: ['travel.search'] }))
    await request.text()
    const response = await agents.fetch(request)
    expect([response.status, await response.text()]).toEqual([500, expect.stringContaining('has read the body')])
  })

  const guess = (agents: Awaited<ReturnType<typeof mount>>, bearer: string, from?: string) =>
    agents.fetch(
      new Request(`${AT}/svc/tokens`, json(bearer, {}, from === undefined ? {} : { 'x-forwarded-for': from })),
    )
  const few = { limits: { badCredentialsPerMinute: 1 } }

  it('counts guesses by credential where nobody says who the client is', async () => {
    const { agents } = await mounted({ basePath: '/agents' }, few)
    const statuses = []
    for (const bearer of ['x1', 'x2', 'x1']) statuses.push((await guess(agents, bearer)).status)
    expect(statuses).toEqual([401, 401, 429])
  })

  it.each([
    [[], [401, 429]],
    [['10.0.0.1'], [401, 401]],
  ])('believes what trusted proxies %j forward: %j', async (trustedProxies, expected) => {
    const { agents } = await mounted({ basePath: '/agents', trustedProxies, clientAddress: () => '10.0.0.1' }, few)
    const statuses = []
    for (const from of ['198.51.100.1', '198.51.100.2']) statuses.push((await guess(agents, `of ${from}`.replace(' ', '-'), from)).status)
    expect(statuses).toEqual(expected)
  }) // prettier-ignore

  it.each([
    ['somebody', () => 'somebody'],
    ['an error', () => { throw new Error('no') }],
  ])('refuses where the address of the client is %s', async (_, clientAddress) => {
    const { agents, logged } = await mounted({ basePath: '/agents', clientAddress })
    expect((await agents.fetch(new Request(`${AT}/.well-known/svc`))).status).toBe(500)
    expect(logged.join()).toContain('The address of a client could not be told.')
  }) // prettier-ignore

  it('hands the connection on to clientAddress', async () => {
    const seen: unknown[] = []
    const clientAddress = (_: Request, connection: unknown) => (seen.push(connection), undefined)
    const { agents } = await mounted({ basePath: '/agents', clientAddress })
    await agents.fetch(new Request(`${AT}/.well-known/svc`), { remote: 1 })
    expect(seen).toEqual([{ remote: 1 }])
  })
})

describe('MCP below a base path', () => {
  it('names its resource and metadata with the path, and its metadata stands at the root', async () => {
    const { agents } = await mounted({ publicUrl: AT, surfaces: [mcp()] })
    expect(agents.wellKnown).toEqual(['/.well-known/oauth-protected-resource/agents/mcp'])
    const unknown = await agents.fetch(new Request(`${AT}/mcp`, json('nobody')))
    const challenge = unknown.headers.get('www-authenticate')
    expect(challenge).toContain(`resource_metadata="https://shop.example${agents.wellKnown[0]}"`)
    const metadata = await agents.fetch(new Request(`https://shop.example${agents.wellKnown[0]}`))
    expect(await metadata.json()).toMatchObject({ resource: `${AT}/mcp` })
  })

  it.each(['/agents/mcp', '/mcp'])('is served at %s by a process of its own, whatever a proxy took away', async (path) => {
    const { service } = await startFixture({ limits: { shutdownMs: 40 } })
    const running = await serve(service, { port: 0, publicUrl: AT, surfaces: [mcp()] })
    onTestFinished(running.close)
    const response = await fetch(running.url + path, json('nobody', {}, { host: 'shop.example' }))
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining(`shop.example/.well-known/oauth-protected-resource/agents/mcp"`)])
  }) // prettier-ignore
})

describe('the console below a base path', () => {
  const PROVIDER = { issuer: 'http://127.0.0.1:9', audience: 'x', entitlements: () => ({}) }
  const withConsole = () =>
    mounted({ publicUrl: AT, surfaces: [webConsole({ clientId: 'c' })] }, { oidc: [PROVIDER] as never })
  const get = async (agents: Awaited<ReturnType<typeof mount>>, path: string) => {
    const response = await agents.fetch(new Request(`https://shop.example${path}`))
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  it('has a page whose files are below it, and links that come back there', async () => {
    const { agents, service } = await withConsole()
    expect((await get(agents, '/agents/-/console')).headers.get('location')).toBe('/agents/-/console/')
    const { text } = await get(agents, '/agents/-/console/')
    const files = [...text.matchAll(/(?:href|src)="([^"]+)"/gu)].map(([, path]) => path!)
    expect(files).toHaveLength(4)
    for (const file of files) expect([file, (await get(agents, file)).status]).toEqual([expect.stringMatching(/^\/agents\/-\/console\/assets\//u), 200]) // prettier-ignore
    expect(service.pages.approval?.('apr_1')).toBe(`${AT}/-/console/approvals/apr_1`)
  })

  it('clears a cookie whose name tells the services of a host apart', async () => {
    const cookieAt = async (publicUrl: string) => {
      const { agents } = await mounted({ publicUrl, surfaces: [webConsole({ clientId: 'c' })] }, { oidc: [PROVIDER] as never })
      const path = `${new URL(publicUrl).pathname.replace(/\/$/u, '')}/-/console/callback`
      return (await get(agents, path)).headers.get('set-cookie')
    } // prettier-ignore
    expect(await cookieAt('https://shop.example')).toMatch(/^__Host-svc-console-sign-in=; Path=\/; HttpOnly/u)
    const [one, other] = [await cookieAt(AT), await cookieAt('https://shop.example/others')]
    expect(one).toMatch(/^__Host-svc-console-[\da-f]{12}-sign-in=; Path=\/; HttpOnly/u)
    expect(one?.split('=')[0]).not.toBe(other?.split('=')[0])
  })

  it('needs the publicUrl', async () => {
    const { service } = await startFixture()
    await expect(mount(service, { surfaces: [webConsole()] })).rejects.toThrow('mount(service, { publicUrl })')
    const agents = await mount(service)
    onTestFinished(agents.close)
  })
})

it('refuses to mount a service twice', async () => {
  const { service } = await mounted()
  await expect(mount(service)).rejects.toThrow(StartUpError)
})

it('takes no key for development', async () => {
  const apiKeys = API_KEYS.map((key) => ({ ...key, development: true }))
  const { agents } = await mounted({ publicUrl: 'http://127.0.0.1/agents' }, { apiKeys, development: true })
  const url = await listening(agents.node)
  expect((await call(url, '/agents/svc/tokens', json('ana-key')))[0]).toBe(401)
})

it('lets a call end before it closes, is not ready from then on, and does its background work until then', async () => {
  let finish = (_: object): void => undefined
  const held = new Promise<object>((resolve) => (finish = resolve))
  const { agents, service, root } = await mounted(undefined, {
    handlers: { search: () => held },
    limits: { shutdownMs: 5_000 },
  })
  const { token } = await root()
  const calling = agents.fetch(new Request(`${AT}/svc/invoke/search`, json(token, { parameters: {} })))
  await new Promise((resolve) => setTimeout(resolve, 50))
  let isClosed = false
  const closing = agents.close().then(() => (isClosed = true))
  expect((await agents.fetch(new Request(`${AT}/-/ready`))).status).toBe(503)
  expect([service.lifecycle.draining, isClosed]).toEqual([true, false])
  finish({ hotels: [] })
  expect((await calling).status).toBe(200)
  await closing
})
