/** A server that was written to escape, in each confinement that this machine has: it finds nothing and reaches nobody. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server } from 'node:net'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ended } from '../ended.js'

const BIN = resolve('bin/svc.cjs')
const SECRET = 'of-the-service-alone'

/** Each way out, tried by the server: the result is DONE where it worked. */
const ATTACKS = [
  'opens the inspector of its parent',
  'opens the inspector of whoever has its id',
  'reads .env of the service',
  'reads /etc/passwd',
  'reads the environment of its parent',
  'reads files through the root of its parent',
  'lists /tmp of the host',
  'writes beside the service',
  'writes into /tmp of the host',
  'asks the signer over its socket',
  'reaches an abstract socket',
  'reaches a loopback address',
  'fills its folder',
  'fills the memory by its devices',
  'makes namespaces of its own',
  'has memory without a bound',
  'has the priority of its parent',
  'outlives its parent where memory ends',
]

/** Those that work where the service is started as root. */
const ATTACKS_OF_ROOT = ['changes a setting of the kernel', 'takes a device from the host']
const isRoot = process.getuid?.() === 0

let root: string
let servers: Server[]
let facts: object

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-hostile-')))
  writeFileSync(join(root, '.env'), SECRET, { mode: 0o600 })
  mkdirSync(join(root, 'docs'))
  writeFileSync(join(root, 'docs/note'), 'hello')
  const home = join(root, 'node_modules/hostile')
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true })
  cpSync('test/threats/hostile-server', home, { recursive: true })
  symlinkSync('../hostile/index.js', join(root, 'node_modules/.bin/hostile'))
  writeFileSync(
    join(root, 'node_modules/.package-lock.json'),
    '{"packages": {"node_modules/hostile": {"integrity": "sha512-x"}}}',
  )
  const abstract = `svc-hostile-${process.pid}`
  const signer = join(root, 'signer.sock')
  servers = [createServer(answered), createServer(answered), createHttpServer((_, response) => response.end('here'))]
  await Promise.all(
    [{ path: signer }, { path: `\0${abstract}` }, { port: 0, host: '127.0.0.1' }].map(
      (place, index) => new Promise<void>((done) => void servers[index]!.listen(place, done)),
    ),
  )
  const { port } = servers[2]!.address() as AddressInfo
  facts = { root, secret: SECRET, abstract, signer, port }
})

afterAll(() => {
  for (const server of servers) server.close()
  rmSync(root, { recursive: true, force: true, maxRetries: 20 })
})

const answered = (socket: { end(text: string): void }): void => socket.end('here')

/** A PATH on which bubblewrap is missing. */
function withoutBwrap(): string {
  const folder = join(root, 'programs')
  if (!existsSync(folder)) {
    mkdirSync(folder)
    const wanted = [
      'node',
      'setpriv',
      'setsid',
      'nice',
      'unshare',
      'sh',
      'mount',
      'umount',
      'mkdir',
      'rmdir',
      'ln',
      'pivot_root',
      'cat',
      'ls',
      'true',
    ]
    for (const name of wanted) {
      const places = [...process.env['PATH']!.split(delimiter), '/sbin', '/usr/sbin']
      const found = places.map((place) => join(place, name)).find((path) => existsSync(path))
      if (found !== undefined) symlinkSync(found, join(folder, name))
    }
  }
  return folder
}

/** Confinement -> the options of an import, and the PATH on which it is the one that is there. */
const CONFINEMENTS = [
  ['bwrap', ['--confinement', 'namespaces'], () => process.env['PATH']!],
  ['unshare', ['--confinement', 'namespaces'], withoutBwrap],
] as const

const NONE = ['--confinement', 'none', '--reason', 'It is seen here that the attacks work.'] as const

const environment = (path: string) => ({ ...process.env, NO_COLOR: '1', SVC_SECRET: SECRET, PATH: path })

async function imported(path: string, mode: string, ...options: readonly string[]) {
  const server = ['--', 'hostile', JSON.stringify({ ...facts, mode }), 'docs']
  const child = spawn(process.execPath, [BIN, 'import', 'mcp', '--allow', 'child-process', ...options, ...server], {
    cwd: root,
    env: environment(path),
    timeout: 60_000,
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const [status, signal] = (await once(child, 'close')) as [number | null, string | null]
  return { status, signal, stdout, stderr }
}

/** The server gives its results as the title of its tool, which no digest covers. */
const resultsIn = (listed: string): unknown => JSON.parse(/^attack {2}(\{.*\})$/mu.exec(listed)?.[1] ?? listed)

const all = (result: string) => ({
  ...Object.fromEntries(ATTACKS.map((name) => [name, result])),
  ...Object.fromEntries(ATTACKS_OF_ROOT.map((name) => [name, isRoot ? result : 'refused'])),
})

describe('N26 a hostile server without walls', () => {
  it('does all of it: each attack works', async () => {
    const { stdout, stderr } = await imported(process.env['PATH']!, 'attack', '--list', ...NONE)
    expect(resultsIn(stdout)).toEqual(all('DONE'))
    expect(stderr).toContain('Debugger listening')
  }, 90_000)

  it('kills its parent', async () => {
    expect((await imported(process.env['PATH']!, 'SIGKILL', '--list', ...NONE)).signal).toBe('SIGKILL')
  }, 90_000)
})

describe.each(CONFINEMENTS)('N26 a hostile server in namespaces by %s', (_, options, path) => {
  it('finds nothing and reaches nobody when it is imported', async () => {
    const { stdout, stderr, status } = await imported(path(), 'attack', '--list', ...options)
    expect([resultsIn(stdout), stderr, status]).toEqual([all('refused'), '', 0])
  }, 90_000)

  it.each(['SIGSTOP', 'SIGKILL', 'SIGTERM', 'SIGUSR1'])('sends %s to its parent, and the import goes on', async (signal) => {
    expect(await imported(path(), signal, '--list', ...options)).toMatchObject({ status: 0, signal: null })
  }, 90_000) // prettier-ignore
})

describe('N26 a service with a hostile server', () => {
  let service: ChildProcess | undefined
  let said = ''
  beforeAll(async () => {
    const done = await imported(process.env['PATH']!, 'quiet', '--all', '--write', 'none', '--into', 'desk')
    expect([done.status, done.stderr]).toEqual([0, ''])
    const modules = join(root, 'desk/node_modules')
    mkdirSync(modules)
    symlinkSync(resolve('.'), join(modules, 'svc-kit'))
    const built = spawnSync(process.execPath, [BIN, 'build'], { cwd: join(root, 'desk'), encoding: 'utf8' })
    expect(built).toMatchObject({ status: 0 })
  }, 120_000)
  afterAll(() => ended(service))

  const started = async (path: string) => {
    said = ''
    service = spawn(process.execPath, ['dist/server.mjs'], {
      cwd: join(root, 'desk'),
      env: { ...environment(path), PORT: '0', SVC_DEVELOPMENT: 'true' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(() => ended(service))
    const url = await new Promise<string>((found) => {
      for (const stream of [service!.stdout!, service!.stderr!])
        stream.on('data', (chunk: Buffer) => {
          said += chunk.toString()
          const [, address] = /listens on (http:\S+)/u.exec(said) ?? []
          if (address !== undefined) found(address)
        })
    })
    const post = async (at: string, bearer: string, body: object) => {
      const headers = { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' }
      const answer = await fetch(`${url}${at}`, { method: 'POST', headers, body: JSON.stringify(body) })
      return (await answer.json()) as { readonly [name: string]: unknown }
    }
    const [, key = ''] = /SVC_DEVELOPER_KEY=(.+)/u.exec(readFileSync(join(root, 'desk/.env'), 'utf8')) ?? []
    const { token } = await post('/svc/tokens', key, { scope: ['hostile.read'], subject: 'agent:assistant' })
    const attack = (mode: string) =>
      post('/svc/invoke/attack', String(token), { parameters: { mode, pid: service!.pid } })
    return { url, attack }
  }

  it.each(CONFINEMENTS)('keeps its secrets, its network and its life, in namespaces by %s', async (_, __, path) => {
    const { url, attack } = await started(path())
    const { result } = await attack('attack')
    const { content } = result as { readonly content: readonly { readonly text: string }[] }
    expect(JSON.parse(content[0]!.text)).toEqual(all('refused'))
    for (const signal of ['SIGUSR1', 'SIGSTOP', 'SIGTERM', 'SIGKILL', 'SIGKILL to all']) {
      await attack(signal)
      expect((await fetch(`${url}/-/live`, { signal: AbortSignal.timeout(5_000) })).status).toBe(200)
    }
    expect(said).not.toContain('Debugger listening')
    // Its own file is still read.
    expect(await attack('note')).toMatchObject({ result: { content: [{ text: 'hello' }] } })
  }, 120_000) // prettier-ignore
})
