/** What `svc mcp config` writes is what starts the service: as each client would, from another folder, and in the Inspector itself. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { knowWithoutDev } from '../../examples/start.js'
import { builtTravel, keysOf } from './built-travel.js'

const run = promisify(execFile)

let root: string
let folder: string

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-configured-')))
  folder = await builtTravel(root)
  knowWithoutDev(folder)
  writeFileSync(join(folder, 'agent.token'), await delegated(), { mode: 0o600 })
}, 120_000)
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 20 }))

/** A token for the agent, over the service's own stdio: nothing listens on any port. */
async function delegated(): Promise<string> {
  const params = { scope: ['travel.search'], subject: 'agent:editor', auth: { bearer: keysOf(folder)['SVC_DEVELOPER_KEY'] } }
  const served = run(process.execPath, ['dist/server.mjs', '--stdio'], { cwd: folder })
  served.child.stdin!.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'svc.tokens.issue', params })}\n`)
  const { stdout } = await served
  return (JSON.parse(stdout.split('\n')[0]!) as { readonly result: { readonly token: string } }).result.token
} // prettier-ignore

interface Configured {
  readonly [member: string]: { readonly travel: Started }
}

interface Started {
  readonly command: string
  readonly args: readonly string[]
  readonly env: { readonly [name: string]: string }
}

const config = (client: string) => run(process.execPath, [resolve('bin/svc.cjs'), 'mcp', 'config', '--client', client, '--write'], { cwd: folder }) // prettier-ignore

it.each([
  ['claude-code', '.mcp.json', 'mcpServers'],
  ['cursor', '.cursor/mcp.json', 'mcpServers'],
  ['vscode', '.vscode/mcp.json', 'servers'],
  ['inspector', 'mcp.json', 'mcpServers'],
])('the configuration of %s starts the service from any folder, and lists what the token allows', async (name, file, member) => {
  await config(name)
  const text = readFileSync(join(folder, file), 'utf8')
  expect(text).not.toMatch(/eyJ|svc_/u)
  const { command, args, env } = (JSON.parse(text) as Configured)[member]!.travel
  const client = new Client({ name, version: '1.0.0' })
  await client.connect(new StdioClientTransport({ command, args: [...args], env: { ...env, PATH: process.env['PATH']! }, cwd: root, stderr: 'ignore' }))
  const { tools } = await client.listTools()
  const found = await client.callTool({ name: 'search_flights', arguments: { origin: 'LIS', destination: 'BER', date: '2030-05-01' } })
  await client.close()
  expect(tools.map((tool) => tool.name)).toEqual(['get_booking', 'get_destination', 'plan_trip', 'search_flights'])
  expect(found.structuredContent).toMatchObject({ flights: expect.any(Array) as unknown[] })
}) // prettier-ignore

it('the Inspector takes its configuration, and lists the tools', async () => {
  await config('inspector')
  const node = join(import.meta.dirname, 'peers/node_modules/node22/bin/node')
  const inspector = join(import.meta.dirname, 'judges/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js')
  const words = ['--cli', '--config', join(folder, 'mcp.json'), '--server', 'travel', '--method', 'tools/list', '--format', 'json']
  const { stdout } = await run(node, [inspector, ...words], { cwd: root, env: { PATH: process.env['PATH'], HOME: root, NO_COLOR: '1' }, timeout: 90_000 })
  expect(stdout).toContain('"search_flights"')
  expect(stdout).not.toContain('book_flight')
}) // prettier-ignore
