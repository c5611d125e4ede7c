/** N40: what an application or its client puts around a mounted service changes no answer of it. */
import { createServer, request, type OutgoingHttpHeaders } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { mount } from '../../src/runtime/mount.js'
import { mcp } from '../../src/runtime/surfaces/mcp/index.js'
import { startFixture } from '../runtime/fixture/service.js'

const publicUrl = 'https://shop.example/agents'

async function start() {
  const { service } = await startFixture()
  const agents = await mount(service, { publicUrl, surfaces: [mcp({ publicUrl })], trustedProxies: ['127.0.0.1'] })
  const server = createServer((incoming, outgoing) =>
    agents.node(incoming, outgoing, () => outgoing.writeHead(299).end('the shop')),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await agents.close()
  })
  const { port } = server.address() as AddressInfo
  return (path: string, headers: OutgoingHttpHeaders = {}) =>
    new Promise<string>((done, failed) => {
      const options = { port, path, headers: { host: 'shop.example', ...headers }, agent: false }
      const sent = request(options, (answer) => {
        let text = ''
        answer.on('data', (part: Buffer) => (text += part.toString()))
        answer.on('end', () => done(`${answer.statusCode} ${text}`))
      })
      sent.on('error', failed).end()
    })
}

const DISCOVERY = '/agents/.well-known/svc'
const METADATA = '/.well-known/oauth-protected-resource/agents/mcp'

it('N40 headers that rewrite addresses are not read', async () => {
  const get = await start()
  const right = [await get(DISCOVERY), await get(METADATA)]
  expect(right).toEqual([expect.stringMatching(/^200 .*"\/agents\/svc\/tokens"/u), expect.stringMatching(/^200 .*"https:\/\/shop\.example\/agents\/mcp"/u)]) // prettier-ignore
  const forged: OutgoingHttpHeaders[] = [
    { 'x-forwarded-host': 'evil.example' },
    { 'x-forwarded-proto': 'http' },
    { 'x-forwarded-prefix': '/evil' },
    { 'x-forwarded-for': '127.0.0.1' },
    { forwarded: 'for=127.0.0.1;host=evil.example;proto=http' },
    { 'x-original-url': '/agents/svc/audit' },
    { 'x-rewrite-url': '/agents/svc/audit' },
    { 'x-http-method-override': 'POST' },
    { cookie: 'session=of-the-shop' },
  ]
  for (const headers of forged) expect([headers, await get(DISCOVERY, headers), await get(METADATA, headers)]).toEqual([headers, ...right]) // prettier-ignore
})

it.each(['evil.example', 'shop.example.evil', 'shop.example@evil.example', 'evil.example/shop.example'])(
  'N40 the metadata of MCP are not told to the host %s',
  async (host) => {
    const get = await start()
    expect(await get(METADATA, { host })).toMatch(/^403 .*"insufficient_authority"/u)
  },
)

it.each([
  ['/Agents/.well-known/svc', 299],
  ['/%61gents/.well-known/svc', 299],
  ['/agents%2f.well-known/svc', 299],
  ['/agents;/.well-known/svc', 299],
  ['/agentsx/.well-known/svc', 299],
  ['/.well-known/svc', 299],
  ['//evil.example/agents/.well-known/svc', 299],
  ['http://evil.example//agents/.well-known/svc', 299],
  ['/agents/agents/.well-known/svc', 404],
  ['/agents//.well-known/svc', 404],
  ['/agents/./.well-known/svc', 404],
  ['/agents/../agents/.well-known/svc', 404],
  ['/agents/%2e%2e/agents/.well-known/svc', 404],
  ['/agents?/.well-known/svc', 404],
])('N40 %s is answered with %i', async (path, status) => {
  const get = await start()
  expect((await get(path)).slice(0, 3)).toBe(String(status))
})
