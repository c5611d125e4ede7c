/** Runs the shop of examples/mount on each framework, and uses the service that is mounted in it. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepare, type Prepared } from '../../examples/start.js'
import { NODES, RUNTIMES } from './programs.js'

/** Below the folder that has the frameworks, so that they are found. */
const parent = join(import.meta.dirname, '.made-mount')

let shop: Prepared
const running: ChildProcess[] = []

function run(command: string, ...args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: shop.folder,
    encoding: 'utf8',
    timeout: 240_000,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
  })
  expect([args, status, stdout + stderr]).toEqual([args, 0, expect.anything()])
}

beforeAll(() => {
  mkdirSync(parent, { recursive: true })
  process.env['TMPDIR'] = parent
  shop = prepare('mount')
  delete process.env['TMPDIR']
  // As it is installed: Next.js leaves packages alone, and bundles what a link leads to.
  const kit = join(shop.folder, 'node_modules/svc-kit')
  rmSync(kit)
  for (const name of ['dist', 'package.json']) cpSync(resolve(name), join(kit, name), { recursive: true })
  run(process.execPath, resolve('node_modules/typescript/bin/tsc'), '-p', 'tsconfig.frameworks.json')
}, 240_000)

afterAll(() => {
  for (const each of running) each.kill('SIGKILL')
  rmSync(parent, { recursive: true, force: true, maxRetries: 20 })
})

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return String(port)
}

/** Starts a shop with a store of its own; gives its address when it listens. */
async function started(name: string, command: readonly string[], cwd = shop.folder) {
  const port = await freePort()
  const data = join(shop.folder, `data-${name.replaceAll(' ', '-')}`)
  const env = {
    ...process.env,
    PORT: port,
    SVC_DATABASE: join(data, 'shop.db'),
    SVC_KEYS: join(shop.folder, 'keys'),
    SVC_API_KEYS: join(shop.folder, 'api-keys.json'),
    SVC_PUBLIC_URL: `http://127.0.0.1:${port}/agents`,
  }
  const [program = '', ...args] = command
  const server = spawn(
    program,
    args.map((each) => each.replace('{port}', port)),
    { cwd, env },
  )
  running.push(server)
  let said = ''
  await new Promise<void>((listens, failed) => {
    for (const stream of [server.stdout, server.stderr])
      stream.on('data', (part: Buffer) => {
        said += part.toString()
        if (/listens on http|Ready in/u.test(said)) listens()
      })
    server.once('exit', (code) => failed(new Error(`${name} ended with ${code}:\n${said}`)))
  })
  const url = `http://127.0.0.1:${port}`
  const end = async (): Promise<{ readonly code: number | null; readonly outsideOfTheFile: number }> => {
    server.removeAllListeners('exit')
    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    const [code] = (await ended) as [number | null]
    // libsql leaves its log there, empty.
    const log = statSync(join(data, 'shop.db-wal'), { throwIfNoEntry: false })
    return { code, outsideOfTheFile: log?.size ?? 0 }
  }
  return { url, end, said: () => said }
}

interface TypedClient {
  getOrder(input: { readonly order_id: string }): Promise<object>
  delegate(request: object): Promise<{ readonly client: TypedClient; readonly token: { readonly token: string } }>
}

/** The generated client of an agent that may read orders, and its token. */
async function agentAt(url: string) {
  const { createClient } = (await import(pathToFileURL(join(shop.folder, 'dist/client/index.js')).href)) as {
    createClient: (options: object) => TypedClient
  }
  const [credential] = Object.values(shop.credentials)
  const issued = await createClient({ baseUrl: `${url}/agents`, credential }).delegate({ scope: ['shop.read'] })
  expect(issued).toMatchObject({ success: true })
  return { client: issued.client, token: issued.token.token }
}

const read = async (url: string, init?: RequestInit): Promise<readonly [number, string]> => {
  const response = await fetch(url, init)
  return [response.status, await response.text()]
}

/** What a user of the shop, an agent, a person at the console and an MCP client find. */
async function walked(url: string) {
  const { client, token } = await agentAt(url)
  const authorization = { authorization: `Bearer ${token}` }
  const [, discovery] = await read(`${url}/agents/.well-known/svc`)
  const stream = await fetch(`${url}/agents/-/audit/stream`, { headers: authorization })
  const first = await stream.body!.getReader().read()
  const mcp = new Client({ name: 'test', version: '1' })
  await mcp.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/agents/mcp`), { requestInit: { headers: authorization } }),
  )
  const tools = (await mcp.listTools()).tools.map(({ name }) => name)
  await mcp.close()
  return {
    shop: await read(`${url}/orders/A-1`),
    tokens: JSON.parse(discovery).svc_discovery.endpoints.tokens,
    call: await client.getOrder({ order_id: 'A-1' }),
    stream: [stream.headers.get('content-type'), first.done],
    tools,
    metadata: JSON.parse((await read(`${url}/.well-known/oauth-protected-resource/agents/mcp`))[1]).resource,
    console: (await read(`${url}/agents/-/console/`))[0],
    nowhere: (await read(`${url}/svc/tokens`))[0],
  }
}

const order = '{"order_id":"A-1","state":"open"}'
const expected = (url: string) => ({
  shop: [200, order],
  tokens: '/agents/svc/tokens',
  call: { success: true, result: { order_id: 'A-1', state: 'open' } },
  stream: ['text/event-stream', false],
  tools: ['get_order'],
  metadata: `${url}/agents/mcp`,
  console: 200,
  nowhere: 404,
})

const [bun = '', ...bunOptions] = RUNTIMES['Bun']!
const [deno = ''] = RUNTIMES['Deno']!
const SHOPS: readonly (readonly [name: string, command: readonly string[]])[] = [
  ...Object.entries(NODES).map(([name, node]) => [`node:http on ${name}`, [node, 'out/main.js']] as const),
  ['Express', [process.execPath, 'out/express.js']],
  ['Fastify', [process.execPath, 'out/fastify.js']],
  ['Hono', [process.execPath, 'out/hono.js']],
  ['Bun', [bun, ...bunOptions, 'bun.ts']],
  ['Deno', [deno, 'run', '--node-modules-dir=manual', '--unstable-sloppy-imports', '-A', 'deno.ts']],
]

describe('a shop on', () => {
  it.each(SHOPS)('%s has its service, and leaves one complete file when it is told to end', async (name, command) => {
    const { url, end } = await started(name, command)
    expect(await walked(url)).toMatchObject(expected(url))
    expect(await end()).toEqual({ code: 0, outsideOfTheFile: 0 })
  })

  it('Next.js has its service', async () => {
    const bin = join(import.meta.dirname, 'node_modules/next/dist/bin/next')
    run(process.execPath, bin, 'build', 'next')
    const { url } = await started('Next.js', [
      process.execPath,
      bin,
      'start',
      'next',
      '--port',
      '{port}',
      '--hostname',
      '127.0.0.1',
    ])
    // Nobody says who asks, so that the console without a provider is nobody's.
    expect(await walked(url)).toMatchObject({ ...expected(url), console: 404 })
  }, 240_000)
})
