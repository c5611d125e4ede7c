/** A service and its signer as two system users, as the unit in docs/guides/signer.md runs them. Runs as root, who may become others. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

const SVC = resolve('bin/svc.cjs')
const GROUP = 20_050
const SIGNER = { uid: 20_051, gid: GROUP }
const SERVICE = { uid: 20_052, gid: GROUP }
const STRANGER = { uid: 20_053, gid: 20_053 }
type User = typeof SIGNER

const folder = mkdtempSync(join(tmpdir(), 'svc-users-'))
const [keys, socket] = [join(folder, 'state/keys'), join(folder, 'run/signer.sock')]
const started: ChildProcess[] = []

function folderOf({ uid, gid }: User, name: string, mode: number): void {
  mkdirSync(join(folder, name))
  chownSync(join(folder, name), uid, gid)
  chmodSync(join(folder, name), mode)
}

/** What a program in Node says as that user, at a place that all may enter. */
const as = (user: User, ...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { ...user, cwd: '/', encoding: 'utf8', timeout: 60_000 }) // prettier-ignore
  return { status, said: stdout + stderr }
}

function startAs(user: User, args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, args, { ...user, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(child)
  return child
}

// Both know it by their environment.
process.env['SVC_SIGNER_SECRET'] = 'a secret that the service and its signer know'

let signer: ChildProcess
beforeAll(async () => {
  if (process.getuid?.() !== 0) throw new Error('Run this as root: it starts processes as other system users.')
  chmodSync(folder, 0o755)
  folderOf(SIGNER, 'run', 0o750)
  folderOf(SIGNER, 'state', 0o700)
  folderOf(SERVICE, 'service', 0o700)
  expect(as(SIGNER, SVC, 'keys', 'generate', '--dir', keys)).toMatchObject({ status: 0 })
  signer = startAs(SIGNER, [SVC, 'signer', '--keys', keys, '--socket', socket, '--mode', '0660'])
  let log = ''
  signer.stderr!.on('data', (chunk) => (log += String(chunk)))
  await vi.waitFor(() => expect(log).toContain('"address"'), { timeout: 60_000, interval: 50 })
})

afterAll(() => {
  for (const child of started) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
})

async function startService(user: User): Promise<string> {
  const config = { signer: `unix:${socket}`, storage: { file: join(folder, 'service/service.db') }, effects: join(folder, 'service/effects'), stateDir: join(folder, 'service') } // prettier-ignore
  const child = startAs(user, [resolve('test/races/server.js'), JSON.stringify(config)])
  let said = ''
  child.stderr!.on('data', (chunk) => (said += String(chunk)))
  const [line] = await Promise.race([once(createInterface({ input: child.stdout! }), 'line'), once(child, 'close')])
  if (typeof line !== 'string') throw new Error(said)
  return line.split(' ')[0]!
}

const post = async (url: string, bearer: string, body: object) => {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await response.json()) as { readonly token?: string; readonly success?: boolean }
}

it('the service signs by the signer, and calls succeed', async () => {
  const url = await startService(SERVICE)
  const { token } = await post(`${url}/svc/tokens`, 'ana-key', { scope: ['act'] })
  expect(await post(`${url}/svc/invoke/act`, token!, { parameters: { note: 'one' } })).toMatchObject({ success: true })
})

it('the user of the service reads no key, in files or in memory, and changes nothing of the signer', () => {
  expect([statSync(keys).uid, statSync(keys).mode & 0o777]).toEqual([SIGNER.uid, 0o700])
  const [file] = readdirSync(keys).map((name) => join(keys, name))
  const tries = {
    list: `fs.readdirSync('${keys}')`,
    read: `fs.readFileSync('${file}')`,
    memory: `fs.readFileSync('/proc/${signer.pid}/maps')`,
    end: `process.kill(${signer.pid}, 'SIGKILL')`,
    replace: `fs.rmSync('${socket}')`,
  }
  for (const [name, code] of Object.entries(tries)) {
    expect([name, as(SERVICE, '-e', code)]).toEqual([name, { status: 1, said: expect.stringMatching(/EACCES|EPERM/u) }])
    // As the signer's own user the same is possible, so it is the user that stands in the way.
    if (name !== 'end' && name !== 'replace') expect([name, as(SIGNER, '-e', code).status]).toEqual([name, 0])
  }
  expect(signer.exitCode).toBe(null)
})

it('another user asks for no signature', () => {
  const { status, said } = as(STRANGER, '-e', `net.connect('${socket}').on('error', (error) => { throw error })`)
  expect([status, said]).toEqual([1, expect.stringContaining('EACCES')])
})
