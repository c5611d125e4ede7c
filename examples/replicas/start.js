/**
 * What compose.yaml starts, as processes of this machine: a scaffolded service, its schema, two replicas, and nginx with
 * nginx.conf, or, where there is none, a balancer of a few lines. `node examples/replicas/start.js postgresql://…`
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { knowWithoutDev } from '../start.js'

const root = resolve(import.meta.dirname, '../..')

export const hasNginx = () => spawnSync('nginx', ['-v'], { timeout: 10_000 }).error === undefined

function svc(cwd, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'bin/svc.cjs'), ...args], {
    cwd,
    timeout: 300_000,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`svc ${args.join(' ')} ended with ${status}: ${stdout}${stderr}`)
}

/** `svc init --storage postgres`, with the packages that are installed here, built; its schema is in the database. */
function scaffold(parent, database) {
  svc(parent, 'init', 'shop', '--yes', '--storage', 'postgres')
  const folder = join(parent, 'shop')
  knowWithoutDev(folder)
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/svc-kit'), 'junction')
  symlinkSync(join(root, 'node_modules/pg'), join(folder, 'node_modules/pg'), 'junction')
  svc(folder, 'build')
  svc(folder, 'migrate', 'up', '--database', database)
  return folder
}

/** Ends at once what was started, and waits for it. */
async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  const impatient = setTimeout(() => child.kill('SIGKILL'), 20_000)
  await once(child, 'exit')
  clearTimeout(impatient)
}

async function startReplica(folder, database) {
  const child = spawn(process.execPath, ['dist/server.mjs'], {
    cwd: folder,
    env: { ...process.env, PORT: '0', SVC_DATABASE: database },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /listens on (http\S+)/u.exec(line)?.[1]
    if (url !== undefined) return { url, kill: () => child.kill('SIGKILL'), stop: () => end(child) }
  }
  throw new Error('A replica did not start.')
}

/** nginx.conf as nginx takes it here: with these replicas, on this port, with its files in a folder of its own. */
export function nginxConfiguration(folder, replicas, port) {
  const addresses = replicas.map(({ url }) => new URL(url).host)
  const site = readFileSync(join(import.meta.dirname, 'nginx.conf'), 'utf8')
    .replace('one:4100', addresses[0])
    .replace('two:4100', addresses[1])
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`)
  return `pid nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${temporary.join('\n')}\n${site}\n}\n`
}

async function startNginx(parent, replicas, port) {
  writeFileSync(join(parent, 'nginx.conf'), nginxConfiguration(parent, replicas, port))
  const args = ['-p', parent, '-c', join(parent, 'nginx.conf'), '-e', 'stderr']
  const { status, stderr } = spawnSync('nginx', [...args, '-t'], { encoding: 'utf8', timeout: 30_000 })
  if (status !== 0) throw new Error(stderr)
  const child = spawn('nginx', [...args, '-g', 'daemon off;'], { stdio: ['ignore', 'ignore', 'inherit'] })
  for (let waits = 0; !(await answers(port)); waits++) {
    if (waits > 1500) throw new Error(`nginx does not answer on port ${port}.`)
    await sleep(20)
  }
  return { stop: () => end(child) }
}

const answers = (port) =>
  fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(5_000) }).then(
    () => true,
    () => false,
  )

/** Takes the replicas in turn; another one only where the first could not be reached, so that no call is sent twice. */
async function startBalancer(replicas, port) {
  let turn = 0
  const pass = (incoming, outgoing, body, tries) => {
    const target = new URL(incoming.url, replicas[turn++ % replicas.length].url)
    const { method, headers } = incoming
    const asked = request(target, { method, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers)
      answer.pipe(outgoing)
    })
    asked.on('error', ({ code }) => {
      if (code === 'ECONNREFUSED' && tries < replicas.length) return pass(incoming, outgoing, body, tries + 1)
      outgoing.writeHead(502).end()
    })
    asked.end(body)
  }
  const server = createServer(async (incoming, outgoing) => {
    const parts = []
    for await (const part of incoming) parts.push(part)
    pass(incoming, outgoing, Buffer.concat(parts), 1)
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    server.close()
    server.closeAllConnections()
  }
  return { stop }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

export async function startReplicas(database, { nginx = hasNginx(), port = 0 } = {}) {
  const parent = mkdtempSync(join(tmpdir(), 'svc-replicas-'))
  const folder = scaffold(parent, database)
  const replicas = [await startReplica(folder, database), await startReplica(folder, database)]
  const listening = port === 0 ? await freePort() : port
  const balancer = nginx ? await startNginx(parent, replicas, listening) : await startBalancer(replicas, listening)
  const lines = readFileSync(join(folder, '.env'), 'utf8').matchAll(/^(\w+)=(.+)$/gmu)
  const stop = async () => {
    for (const each of [balancer, ...replicas]) await each.stop()
    rmSync(parent, { recursive: true, force: true })
  }
  return {
    url: `http://127.0.0.1:${listening}`,
    replicas,
    credentials: Object.fromEntries([...lines].map(([, variable, key]) => [variable, key])),
    stop,
  }
}

if (process.argv[1] === import.meta.filename) {
  const [database = 'postgresql://127.0.0.1/shop'] = process.argv.slice(2)
  const { url, credentials, stop } = await startReplicas(database, { port: 8080 })
  console.log(`Two replicas behind ${url}`)
  for (const [variable, key] of Object.entries(credentials)) console.log(`${variable}=${key}`)
  process.once('SIGINT', () => void stop().then(() => process.exit(0)))
}
