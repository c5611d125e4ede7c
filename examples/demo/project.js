/** A scaffolded travel service in a temporary folder: made, checked, built, signed, started and removed. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { knowWithoutDev } from '../start.js'

const root = resolve(import.meta.dirname, '../..')

/** Runs `svc` and gives what it printed; throws with its output when it fails. */
export function svc(folder, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'bin/svc.cjs'), ...args], {
    cwd: folder,
    timeout: 300_000,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  })
  if (status !== 0) throw new Error(`svc ${args.join(' ')} exited ${status}:\n${stdout}${stderr}`)
  return stdout
}

/** Scaffolds the travel template. Its dependencies are those of this checkout, so nothing is downloaded. */
export function scaffold() {
  const folder = join(mkdtempSync(join(tmpdir(), 'svc-demo-')), 'travel')
  svc(tmpdir(), 'init', folder, '--yes', '--template', 'travel')
  knowWithoutDev(folder)
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/svc-kit'), 'junction')
  return folder
}

/** The credentials that `svc init` wrote to `.env`. */
export function credentials(folder) {
  const lines = readFileSync(join(folder, '.env'), 'utf8').split('\n')
  const values = Object.fromEntries(
    lines.map((line) => /^(\w+)=["']?([^"'\n]*)["']?$/u.exec(line)?.slice(1)).filter(Boolean),
  )
  return { developer: values.SVC_DEVELOPER_KEY, approver: values.SVC_APPROVER_KEY, agent: values.SVC_AGENT_KEY }
}

/** Starts the built server on a free port and waits until it is ready. It logs to `server.log`, and goes on when this process ends. */
export async function start(folder) {
  const port = await freePort()
  const file = join(folder, 'server.log')
  const log = openSync(file, 'a')
  const server = spawn(process.execPath, ['dist/server.mjs'], {
    cwd: folder,
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', log, log],
    detached: true,
  })
  const url = `http://127.0.0.1:${port}`
  for (let attempt = 0; attempt < 200; attempt++) {
    if (server.exitCode !== null) break
    const ready = await fetch(`${url}/-/ready`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
    if (ready?.ok) return { url, server, stop: () => stop(server) }
    await new Promise((done) => setTimeout(done, 50))
  }
  server.kill()
  throw new Error(`The server did not become ready:\n${readFileSync(file, 'utf8')}`)
}

const stop = (server) =>
  new Promise((done) => {
    server.once('exit', done)
    server.kill('SIGTERM')
  })

export const remove = (folder) => rmSync(resolve(folder, '..'), { recursive: true, force: true })

const freePort = () =>
  new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => done(port))
    })
  })
