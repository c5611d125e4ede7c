/** What others judge MCP servers with: the Inspector's command line (S1, S10, S15) and the conformance suite (S12, S13), in Node 22. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startWorld, type World } from './mcp-world.js'

const JUDGES = join(import.meta.dirname, 'judges/node_modules/@modelcontextprotocol')
const NODE = join(import.meta.dirname, 'peers/node_modules/node22/bin/node')
const INSPECTOR = join(JUDGES, 'inspector/clients/launcher/build/index.js')
const CONFORMANCE = join(JUDGES, 'conformance/dist/index.js')

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** In a home of its own: neither reads nor writes what a developer has configured. */
function run(script: string, ...words: readonly string[]): Promise<Ended> {
  const home = mkdtempSync(join(tmpdir(), 'svc-judge-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 20 }))
  const options = { cwd: home, env: { PATH: process.env['PATH'], HOME: home, NO_COLOR: '1' }, timeout: 90_000 }
  return new Promise((resolve) =>
    execFile(NODE, [script, ...words], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    ),
  )
}

const inspect = ({ url }: World, token: string, ...words: readonly string[]) =>
  run(INSPECTOR, '--cli', `${url}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${token}`, '--format', 'json', ...words) // prettier-ignore

describe('the Inspector', () => {
  it('S15 lists the tools, whose schemas have no portability problem', async () => {
    const world = await startWorld()
    const { code, stdout, stderr } = await inspect(world, world.token, '--method', 'tools/list', '--strict')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('"trip__book"')
    expect(stdout).not.toContain('secret')
  })

  it('S1 calls a tool, and shows a refusal as a tool error with its type', async () => {
    const world = await startWorld()
    const call = (...words: readonly string[]) => inspect(world, world.token, '--method', 'tools/call', '--tool-name', ...words) // prettier-ignore
    const found = await call('search', '--tool-arg', 'city=Faro')
    expect([found.code, found.stdout.includes('Hotels in Faro')]).toEqual([0, true])
    const asked = await call('trip__book', '--tool-arg', 'hotel=Sol')
    expect([asked.code, asked.stdout.includes('approval_required')]).toEqual([5, true])
    expect(world.effects).toEqual([])
  })

  it('S10 ends with the code of a missing credential for what is no token, an API key and a token that has expired', async () => {
    let ms = 0
    const world = await startWorld({ clock: () => Date.now() + ms })
    ms = 25 * 3600 * 1000
    for (const bearer of ['no-token', 'ana-key', world.token])
      expect((await inspect(world, bearer, '--method', 'tools/list')).code).toBe(3)
  }) // prettier-ignore
})

/** The suite sends no credential: this adds one, and passes on everything else as it came, Host and Origin too. */
async function withCredential({ url, token }: World): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` }
    const passed = request(`${url}${incoming.url}`, { method: incoming.method, headers }, (response) => {
      outgoing.writeHead(response.statusCode!, response.headers)
      response.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    incoming.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => (server.closeAllConnections(), void server.close()))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

describe('the conformance suite', () => {
  it.each([
    ['S13', 'server-initialize'],
    ['S13', 'ping'],
    ['S13', 'tools-list'],
    ['S12', 'dns-rebinding-protection'],
  ])('%s passes %s', async (_, scenario) => {
    const address = await withCredential(await startWorld())
    const { code, stdout } = await run(CONFORMANCE, 'server', '--url', address, '--scenario', scenario)
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/Passed: [1-9]\d*\/\d+, 0 failed/u) as string,
    })
  })
})
