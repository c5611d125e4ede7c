/** Runs what judges MCP servers and clients, in Node 22. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { World } from './mcp-world.js'

const NODE = join(import.meta.dirname, 'peers/node_modules/node22/bin/node')

/** A file of a package of the judges. */
export const fileOfJudge = (path: string): string => join(import.meta.dirname, 'judges/node_modules', path)

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A run of all scenarios, on a machine that does much else. */
export const MOST_MS = 480_000

/** In a home of its own: neither reads nor writes what a developer has configured. */
export function runJudge(script: string, ...words: readonly string[]): Promise<Ended> {
  const home = mkdtempSync(join(tmpdir(), 'svc-judge-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 20 }))
  const env = { PATH: process.env['PATH'], HOME: home, NO_COLOR: '1' }
  const options = { cwd: home, env, timeout: MOST_MS, maxBuffer: 64 * 1024 * 1024 }
  return new Promise((resolve) =>
    execFile(NODE, [script, ...words], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    ),
  )
}

/** The suite sends no credential: this adds one, and passes on everything else as it came, Host and Origin too. */
export async function withCredential({ url, token }: Pick<World, 'url' | 'token'>): Promise<string> {
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
