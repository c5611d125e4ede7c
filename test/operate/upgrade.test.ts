/** Replicas of an earlier version and of this one on one PostgreSQL, each from its packed tarball, while callers call. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { writeNewKeys } from '../../src/runtime/keys/key-directory.js'
import { verifyTrail } from '../races/verify-trail.js'
import { startPostgres, type PostgresServer } from '../runtime/storage/postgres-server.js'

/** The commit before this file came is the last one whose schema ends with migration 11. */
const FIRST_OF_THE_NEXT = 'src/runtime/storage/sql/schema/012-resolutions.ts'
const CALLERS = 8
/** The packages of then are installed, and it is built. */
const SETTING_UP_MS = 900_000
const CALLS_IN_EACH_STATE = 150

const folder = mkdtempSync(join(tmpdir(), 'svc-upgrade-'))
const effects = join(folder, 'effects')
const run = (cwd: string, command: string, ...args: readonly string[]): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1e9 })

let database: PostgresServer
let url = ''
let earlier = ''
let current = ''
const started: ChildProcess[] = []

beforeAll(async () => {
  database = await startPostgres()
  url = await database.database('upgrade')
  await writeNewKeys(join(folder, 'keys'), ['manifest', 'tokens', 'audit'], Date.now())
  earlier = unpacked('earlier', builtCheckout())
  current = unpacked('current', resolve('.'))
}, SETTING_UP_MS)

afterAll(async () => {
  for (const child of started) child.kill('SIGKILL')
  await database.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
})

/** The sources of the earlier version, built as their own scripts build them, with the packages of then. */
function builtCheckout(): string {
  const [added] = run('.', 'git', 'log', '--diff-filter=A', '--format=%H', '--', FIRST_OF_THE_NEXT).split('\n')
  if (added === undefined || added === '')
    throw new Error(`The history has no commit that adds ${FIRST_OF_THE_NEXT}. Run this in a full clone.`)
  const checkout = join(folder, 'checkout')
  mkdirSync(checkout)
  const archive = join(folder, 'earlier.tar')
  run('.', 'git', 'archive', '--output', archive, `${added}^`)
  run(checkout, 'tar', '-xf', archive)
  run(checkout, 'npm', 'ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund')
  run(checkout, 'npm', 'run', '--silent', 'build')
  return checkout
}

/** The files of the packed package, beside the dependencies of its sources and the server of the races. */
function unpacked(name: string, sources: string): string {
  const root = join(folder, name)
  mkdirSync(root)
  const packed = run(sources, 'npm', 'pack', '--ignore-scripts', '--silent', '--pack-destination', root).trim()
  run(root, 'tar', '-xf', join(root, packed), '--strip-components=1')
  symlinkSync(join(sources, 'node_modules'), join(root, 'node_modules'))
  mkdirSync(join(root, 'test/races'), { recursive: true })
  cpSync('test/races/server.js', join(root, 'test/races/server.js'))
  return root
}

interface Replica {
  readonly url: string
  readonly process: ChildProcess
  calls: number
  busy: number
}

/** Throws what the process wrote where it does not start. */
async function startReplica(version: string): Promise<Replica> {
  const config = JSON.stringify({ keys: join(folder, 'keys'), storage: { url }, effects })
  const child = spawn(process.execPath, [join(version, 'test/races/server.js'), config], { stdio: ['ignore', 'pipe', 'pipe'] }) // prettier-ignore
  started.push(child)
  let said = ''
  child.stderr.on('data', (chunk) => (said = (said + String(chunk)).slice(-4000)))
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), once(child, 'close')])
  if (typeof line !== 'string') throw new Error(said)
  return { url: line.split(' ')[0]!, process: child, calls: 0, busy: 0 }
}

interface Answer {
  readonly token?: string
  readonly success?: boolean
}

async function post({ url: base }: Replica, path: string, bearer: string, body: object, headers: object = {}) {
  const response = await fetch(base + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, text, body: JSON.parse(text) as Answer }
}

/** Calls in turns over whichever replicas are in service, until it is stopped; what fails is kept. */
function callers(inService: readonly Replica[]) {
  const made: string[] = []
  const failed: string[] = []
  const stopped = new AbortController()
  const call = async (replica: Replica, note: string, token: string) => {
    replica.busy++
    const answered = await post(replica, '/svc/invoke/act', token, { parameters: { note } }, { 'idempotency-key': note }).catch((error: unknown) => ({ status: 0, text: String(error), body: {} as Answer })) // prettier-ignore
    replica.busy--
    replica.calls++
    if (answered.status === 200 && answered.body.success === true) made.push(note)
    else failed.push(`${note}: ${answered.status} ${answered.text}`)
  }
  const loops = Array.from({ length: CALLERS }, async (_, caller) => {
    for (let turn = 0; !stopped.signal.aborted; turn++) {
      const issuer = inService[(caller + turn) % inService.length]!
      issuer.busy++
      const { body, text } = await post(issuer, '/svc/tokens', 'ana-key', { scope: ['act'] })
      issuer.busy--
      if (body.token === undefined) failed.push(`token: ${text}`)
      else
        for (let n = 0; n < 5; n++)
          await call(inService[(caller + turn + n) % inService.length]!, `n${caller}-${turn}-${n}`, body.token)
    }
  })
  const stop = async () => {
    stopped.abort()
    await Promise.all(loops)
  }
  return { made, failed, stop }
}

/** Takes a replica out of service as a balancer does: no new calls, then its end. */
async function retire(replica: Replica, inService: Replica[]): Promise<void> {
  inService.splice(inService.indexOf(replica), 1)
  await vi.waitUntil(() => replica.busy === 0, { timeout: 60_000 })
  replica.process.kill('SIGTERM')
  await once(replica.process, 'close')
}

it('an upgrade replica by replica fails no call, and loses and repeats nothing', async () => {
  const inService = [await startReplica(earlier), await startReplica(earlier)]
  const [one, two] = inService as [Replica, Replica]
  const { made, failed, stop } = callers(inService)
  const more = (...replicas: readonly Replica[]) => {
    const until = replicas.map((replica) => replica.calls + CALLS_IN_EACH_STATE)
    return vi.waitUntil(() => replicas.every(({ calls }, index) => calls >= until[index]!) || failed.length > 0, { timeout: 120_000 }) // prettier-ignore
  }
  await more(one, two)
  const applied = run(folder, process.execPath, join(current, 'bin/svc.cjs'), 'migrate', 'up', '--database', url)
  expect(applied).toMatch(/applied 012 resolutions\napplied 013 quorum\n/u)
  await more(one, two)
  const three = await startReplica(current)
  inService.push(three)
  await more(one, two, three)
  await retire(one, inService)
  const four = await startReplica(current)
  inService.push(four)
  await more(two, three, four)
  const partition = () => run(folder, process.execPath, join(current, 'bin/svc.cjs'), 'migrate', 'partition', '--every', '1000', '--database', url) // prettier-ignore
  expect(partition().split('\n').length).toBeGreaterThan(3)
  await more(two, three, four)
  partition()
  await more(two, three, four)
  await retire(two, inService)
  await more(three, four)
  await stop()
  expect(failed).toEqual([])
  const lines = readFileSync(effects, 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => line.split(' ')[2]).toSorted()).toEqual(made.toSorted())
  const { sequences, entries } = await verifyTrail({ storage: { url } })
  expect(sequences).toEqual(sequences.map((_, index) => index + 1))
  expect(entries.filter(({ capability, success }) => capability === 'act' && success === true)).toHaveLength(made.length) // prettier-ignore
})

it('a version from before schemas said who can use them does not start beside this one, and says why', async () => {
  await expect(startReplica(earlier)).rejects.toThrow('made by a newer version')
})
