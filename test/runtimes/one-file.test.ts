/** Runs a built service where only `dist/`, its keys and its API keys were copied to. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { NODES } from './programs.js'

const parent = mkdtempSync(join(tmpdir(), 'svc-one-file-'))
const shop = join(parent, 'shop')

beforeAll(() => {
  const svc = (cwd: string, ...args: readonly string[]) =>
    expect({ args, ...spawnSync(process.execPath, [resolve('bin/svc.cjs'), ...args], { cwd }) }).toMatchObject({
      status: 0,
    })
  svc(parent, 'init', 'shop', '--yes')
  mkdirSync(join(shop, 'node_modules'))
  symlinkSync(resolve('.'), join(shop, 'node_modules/svc-kit'), 'junction')
  svc(shop, 'build')
})
const running: ChildProcess[] = []
afterAll(async () => {
  for (const each of running) each.kill('SIGKILL')
  rmSync(parent, { recursive: true, force: true, maxRetries: 20 })
})

/** A folder with what is copied, and nothing else. */
function copied(name: string): string {
  const folder = join(parent, name)
  for (const each of ['dist', 'keys', 'api-keys.json'])
    cpSync(join(shop, each), join(folder, each), { recursive: true })
  return folder
}

/** Starts the file; gives where it listens, or what it said at its end. */
function started(node: string, cwd: string): Promise<string> {
  const server = spawn(node, ['dist/server.mjs'], {
    cwd,
    env: { PATH: process.env['PATH'], PORT: '0', SVC_DEVELOPMENT: 'true' },
  })
  running.push(server)
  let said = ''
  return new Promise((done) => {
    for (const stream of [server.stdout, server.stderr])
      stream.on('data', (data: Buffer) => {
        said += data.toString()
        const url = / listens on (http\S+)/u.exec(said)?.[1]
        if (url !== undefined) done(url)
      })
    server.once('exit', () => done(said))
  })
}

/** The Node that runs the tests. */
const NODE_20 = process.execPath
const HAS_SQLITE = Object.entries(NODES).filter(([name]) => name !== 'Node 20')

it.each(HAS_SQLITE)('runs on %s with nothing beside it, its console, too', async (name, node) => {
  const url = await started(node, copied(name))
  expect(url).toMatch(/^http:/u)
  const status = async (path: string) => (await fetch(`${url}${path}`)).status
  expect([await status('/-/ready'), await status('/.well-known/svc'), await status('/-/console/')]).toEqual([
    200, 200, 200,
  ])
})

it('needs libsql beside it on Node 20, and says so', async () => {
  const folder = copied('Node 20')
  expect(await started(NODE_20, folder)).toBe(
    'This Node has no SQLite of its own, and the package libsql is not installed. ' +
      'Run Node 22.13 or newer, or install it beside dist/: npm install libsql\n',
  )
  expect(await started(NODE_20, withLibsql(folder))).toMatch(/^http:/u)
})

/** What a folder needs for Node 20. */
function withLibsql(folder: string): string {
  mkdirSync(join(folder, 'node_modules'))
  for (const name of ['libsql', '@libsql', '@neon-rs', 'detect-libc'])
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name), 'junction')
  return folder
}

it.each(Object.entries(NODES))('leaves one complete file on %s when it is told to stop', async (name, node) => {
  const folder = copied(`stop of ${name}`)
  if (name === 'Node 20') withLibsql(folder)
  const key = { id: 'ana', principal: 'human:ana', sha256: createHash('sha256').update('ana-key').digest('hex'), scopes: ['shop.read'] } // prettier-ignore
  writeFileSync(join(folder, 'api-keys.json'), JSON.stringify([key]), { mode: 0o600 })
  const url = await started(node, folder)
  const headers = { authorization: 'Bearer ana-key', 'content-type': 'application/json' }
  const answer = await fetch(`${url}/svc/tokens`, { method: 'POST', headers, body: '{"scope":["shop.read"]}' })
  const { token_id } = (await answer.json()) as { readonly token_id: string }
  const server = running.at(-1)!
  server.kill('SIGTERM')
  expect((await once(server, 'exit'))[0]).toBe(0)
  // Nothing but the file is copied, as people copy it.
  cpSync(join(folder, 'data/shop.db'), join(folder, 'copy.db'))
  const storage = await openSqlite({ file: join(folder, 'copy.db') })
  expect([(await storage.tokens.chain(token_id))?.length, (await storage.audit.size()) > 0]).toEqual([1, true])
  await storage.close()
})

it('is of at most 4 MB with all that lies beside it', () => {
  const folder = copied('size')
  const files = readdirSync(join(folder, 'dist'), { recursive: true, withFileTypes: true })
  expect(files.filter((file) => file.isFile()).map(({ name }) => name)).toContain('licenses.txt')
  const { stdout } = spawnSync('du', ['--summarize', '--bytes', join(folder, 'dist')], { encoding: 'utf8' })
  expect(Number.parseInt(stdout, 10)).toBeLessThan(4 * 2 ** 20)
})
