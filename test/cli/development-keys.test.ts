/** A development key is of no use outside `svc dev`: it is answered as any unknown credential. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'

const SVC = resolve('bin/svc.cjs')
let folder: string
let [development, ordinary] = ['', '']

const svc = (cwd: string, ...args: readonly string[]): string => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SVC, ...args], { cwd, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, expect.anything()])
  return stdout.trim()
}

beforeAll(() => {
  const parent = mkdtempSync(join(tmpdir(), 'svc-development-keys-'))
  folder = join(parent, 'shop')
  svc(parent, 'init', folder, '--yes')
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  symlinkSync(resolve('.'), join(folder, 'node_modules/svc-kit'), 'junction')
  symlinkSync(SVC, join(folder, 'node_modules/.bin/svc'))
  svc(folder, 'build')
  development = /^SVC_DEVELOPER_KEY=(\S+)/mu.exec(readFileSync(join(folder, '.env'), 'utf8'))![1]!
  ordinary = svc(folder, 'apikeys', 'add', 'human:ana@example.com', '--scope', 'shop.read')
}, 120_000)
afterAll(() => rmSync(resolve(folder, '..'), { recursive: true, force: true, maxRetries: 20 }))

/** Starts the service in a group of processes of its own; gives its address and what it has said. */
async function started([program, ...args]: readonly string[], host: string) {
  const { SVC_DEVELOPMENT: _, ...outside } = process.env
  const env = { ...outside, HOST: host, PORT: '0' }
  const child = spawn(program!, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (said += data.toString()))
  const closed = new Promise((done) => child.once('close', done))
  onTestFinished(async () => {
    process.kill(-child.pid!, 'SIGTERM')
    await closed
  })
  await expect.poll(() => said, { timeout: 60_000 }).toMatch(/ listens on http:\S+:\d+\s/u)
  return { port: / listens on http:\S+:(\d+)/u.exec(said)![1]!, said: () => said }
}

/** What somebody on this machine is answered who asks for a token. */
async function asks(port: string, key: string) {
  const response = await fetch(`http://127.0.0.1:${port}/svc/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"scope":["shop.read"]}',
  })
  const { issued, failure } = (await response.json()) as { readonly issued: boolean; readonly failure?: object }
  return issued ? response.status : { status: response.status, failure }
}

const UNKNOWN = {
  status: 401,
  failure: {
    type: 'authentication_required',
    detail: 'Unknown credential.',
    retry: false,
    resolution: { action: 'provide_credentials', recovery_class: 'retry_now' },
  },
}

const DEV = [process.execPath, SVC, 'dev']
const START = ['npm', 'start', '--silent']
const SERVER = [process.execPath, 'dist/server.mjs']

it.each([
  ['svc dev', '127.0.0.1', DEV, 200, 0],
  ['svc dev', '0.0.0.0', DEV, UNKNOWN, 0],
  ['npm start', '127.0.0.1', START, UNKNOWN, 1],
  ['npm start', '0.0.0.0', START, UNKNOWN, 1],
  ['node dist/server.mjs', '127.0.0.1', SERVER, UNKNOWN, 1],
  ['node dist/server.mjs', '0.0.0.0', SERVER, UNKNOWN, 1],
])(
  '%s on %s',
  async (_, host, command, answer, lines) => {
    const { port, said } = await started(command, host)
    expect(await asks(port, development)).toEqual(answer)
    expect(await asks(port, development)).toEqual(answer)
    expect(await asks(port, 'svc_unknown')).toEqual(UNKNOWN)
    expect(await asks(port, ordinary)).toBe(200)
    const told = said()
      .split('\n')
      .filter((line) => line.includes('An API key for development was refused'))
    expect(told.length).toBe(lines)
    for (const line of told)
      expect(JSON.parse(line)).toMatchObject({
        level: 40,
        msg: 'An API key for development was refused: it is of no use outside of svc dev (createService: development). Run svc dev, or make another key.',
        api_key_id: 'developer',
        command: 'svc apikeys add human:… --scope …',
      })
    expect(said()).not.toContain(development)
  },
  120_000,
)
