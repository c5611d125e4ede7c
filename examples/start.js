/**
 * Starts an example with keys of its own in a temporary copy: `node examples/start.js refunds`. Prints where it listens and
 * which credentials it knows; ends with Ctrl-C.
 */
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = resolve(import.meta.dirname, '..')

function svc(folder, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'bin/svc.cjs'), ...args], {
    cwd: folder,
    timeout: 300_000,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  })
  if (status !== 0) throw new Error(`svc ${args.join(' ')} exited ${status}:\n${stdout}${stderr}`)
}

/**
 * Has a built server know the keys that `svc init` made, which are for `svc dev` alone: an example is started without it.
 * Whoever serves others makes keys with `svc apikeys add`.
 */
export function knowWithoutDev(folder) {
  const file = join(folder, 'api-keys.json')
  const keys = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify(keys.map(({ development: _, ...key }) => key)))
}

/** Keys and credentials as `svc init` makes them; the approver may approve what this example asks for. */
function addCredentials(parent, folder) {
  const donor = join(parent, 'donor')
  svc(parent, 'init', donor, '--yes')
  for (const name of ['keys', '.env', 'api-keys.json'])
    cpSync(join(donor, name), join(folder, name), { recursive: true })
  const scope = /approver_scope: (\S+)/u.exec(readFileSync(join(folder, 'svc.yaml'), 'utf8'))?.[1]
  const capability = /^ {2}(\w+):\n(?: {4}.*\n)*? {4}approval:/mu.exec(
    readFileSync(join(folder, 'svc.yaml'), 'utf8'),
  )?.[1]
  const scopes = [scope, capability && `approver:${capability}`].filter(Boolean)
  const keys = JSON.parse(readFileSync(join(folder, 'api-keys.json'), 'utf8'))
  const needed = [...readFileSync(join(folder, 'svc.yaml'), 'utf8').matchAll(/minimum_scope: \[([^\]]*)\]/gu)]
  const entitlements = {
    developer: [...new Set(needed.flatMap(([, list]) => list.split(',').map((scope) => scope.trim())))],
    approver: scopes,
  }
  const entitled = keys.map((key) => ({ ...key, scopes: entitlements[key.id] ?? key.scopes }))
  writeFileSync(join(folder, 'api-keys.json'), JSON.stringify(entitled))
  knowWithoutDev(folder)
}

/** Examples use what is installed here. */
const packageFolder = (name) => (name === 'svc-kit' ? root : join(root, 'node_modules', name))

/** A copy of an example with what it needs to run, built; `main` is the text of another main.ts for it. */
export function prepare(name, main) {
  const parent = mkdtempSync(join(tmpdir(), 'svc-example-'))
  const folder = join(parent, name)
  cpSync(join(root, 'examples', name), folder, { recursive: true })
  addCredentials(parent, folder)
  mkdirSync(join(folder, 'node_modules'))
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  for (const dependency of Object.keys(dependencies)) {
    const path = join(folder, 'node_modules', dependency)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(packageFolder(dependency), path, 'junction')
  }
  if (main !== undefined) writeFileSync(join(folder, 'main.ts'), main)
  svc(folder, 'build')
  const lines = readFileSync(join(folder, '.env'), 'utf8').matchAll(/^(\w+)=(.+)$/gmu)
  const credentials = Object.fromEntries([...lines].map(([, variable, key]) => [variable, key]))
  return { folder, credentials, remove: () => rmSync(parent, { recursive: true, force: true }) }
}

/** Starts the built server; resolves when it listens. */
export async function start(name, env = {}, main = undefined) {
  const prepared = prepare(name, main)
  const server = spawn(process.execPath, ['dist/server.mjs'], {
    cwd: prepared.folder,
    env: { ...process.env, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = []
  const url = await new Promise((found, failed) => {
    for (const stream of [server.stdout, server.stderr])
      stream.on('data', (data) => {
        output.push(data)
        const listening = /listens on (http\S+)/u.exec(data.toString())?.[1]
        if (listening) found(listening)
      })
    const limit = setTimeout(() => failed(new Error(`${name} does not listen:\n${Buffer.concat(output)}`)), 60_000)
    limit.unref()
    server.once('exit', (code) => failed(new Error(`${name} ended with ${code}:\n${Buffer.concat(output)}`)))
  })
  const { createClient } = await import(pathToFileURL(join(prepared.folder, 'dist/client/index.js')).href)
  const stop = () =>
    new Promise((done) => {
      server.removeAllListeners('exit')
      server.once('exit', () => done(prepared.remove()))
      server.kill('SIGTERM')
      setTimeout(() => server.kill('SIGKILL'), 20_000).unref()
    })
  return { ...prepared, url, createClient, stop }
}

if (process.argv[1] === import.meta.filename) {
  const [name = 'travel'] = process.argv.slice(2)
  const { url, credentials, stop } = await start(name, { PORT: process.env.PORT ?? '4100' }).catch(({ message }) => {
    console.error(message.trimEnd())
    process.exit(1)
  })
  console.log(`${name} listens on ${url}`)
  for (const [variable, key] of Object.entries(credentials)) console.log(`${variable}=${key}`)
  process.once('SIGINT', () => void stop().then(() => process.exit(0)))
}
