import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { build } from '../../../src/cli/build/run.js'
import { init } from '../../../src/cli/init/run.js'
import type { Reading } from '../fixture/service.js'

let folder: string
let key: string

beforeAll(async () => {
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockReturnValue(true)
  folder = join(mkdtempSync(join(tmpdir(), 'svc-stdio-')), 'travel')
  await init(folder, { yes: true, template: 'travel' })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(resolve('.'), join(folder, 'node_modules/svc-kit'), 'junction')
  await build(folder, { check: false, force: false })
  vi.restoreAllMocks()
  key = /^SVC_DEVELOPER_KEY=(.+)$/mu.exec(readFileSync(join(folder, '.env'), 'utf8'))![1]!
}, 60_000)

afterAll(() => rmSync(resolve(folder, '..'), { recursive: true, force: true, maxRetries: 20 }))

/** The built service as a child process that is spoken to through its pipes. */
function start() {
  const child = spawn(process.execPath, ['dist/server.mjs', '--stdio'], {
    cwd: folder,
    env: { ...process.env, SVC_DEVELOPMENT: 'true' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const exited = once(child, 'exit')
  let logged = ''
  child.stderr.on('data', (part: Buffer) => (logged += part.toString()))
  let ids = 0
  const ask = async (method: string, params: object): Promise<Reading> => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++ids, method, params })}\n`)
    return JSON.parse((await lines.next()).value as string) as Reading
  }
  return { child, ask, exited, logged: () => logged }
} // prettier-ignore

describe('a built service over stdio', () => {
  it('serves a governed call, logs to standard error only, and ends with its input', async () => {
    const { child, ask, exited, logged } = start()
    const issued = await ask('svc.tokens.issue', { auth: { bearer: key }, scope: ['travel.search'] })
    const auth = { bearer: issued['result']!['token'] }
    const parameters = { origin: 'LIS', destination: 'BER', date: '2030-05-01' }
    const found = await ask('svc.invoke', { auth, capability: 'search_flights', parameters })
    expect(found).toMatchObject({ id: 2, result: { success: true, result: { flights: expect.any(Array) as unknown } } })
    child.stdin.end()
    expect(await exited).toEqual([0, null])
    expect(logged().split('\n')[0]).toContain('reads from standard input')
    expect(logged()).not.toContain(key)
  }, 30_000)

  it('ends with code 0 when it is told to', async () => {
    const { child, ask, exited } = start()
    await ask('svc.jwks', {})
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
  }, 30_000)
})
