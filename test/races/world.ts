/** A world for races: replicas as processes, one database, one file of effects. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { inject } from 'vitest'
import { writeNewKeys } from '../../src/runtime/keys/key-directory.js'
import pg from 'pg'
import type { PostgresServer } from '../runtime/storage/postgres-server.js'

declare module 'vitest' {
  interface ProvidedContext {
    readonly postgres: string
  }
}

export const ROUNDS = Number(process.env['ROUNDS'] ?? 20)
export const rounds = Array.from({ length: ROUNDS }, (_, round) => round + 1)

/** How the two back ends are deployed: one process on a file, two on a server. */
export const DEPLOYMENTS = [
  { name: 'SQLite, one process', engine: 'sqlite', replicas: 1 },
  { name: 'PostgreSQL, two processes', engine: 'postgres', replicas: 2 },
] as const
export interface Deployment {
  readonly engine: (typeof DEPLOYMENTS)[number]['engine']
  readonly replicas: number
}

export interface Reply {
  readonly status: number
  readonly body: Reading
}

export type Reading = { readonly [name: string]: Reading } & readonly Reading[] & string & number & boolean & undefined

export interface Replica {
  readonly url: string
  readonly process: ChildProcess
  /** CPU time that its start took. */
  readonly cpuMs: number
}

export interface World {
  readonly home: string
  readonly keys: string
  readonly storage: { readonly file: string } | { readonly url: string }
  readonly replicas: Replica[]
  /** Starts one more replica, under another program if one is given. */
  start(settings?: object, under?: readonly string[]): Promise<Replica>
  /** Posts to the replica of that number, counted round. */
  post(replica: number, path: string, bearer: string, body?: unknown, headers?: object): Promise<Reply>
  get(replica: number, path: string): Promise<Reply>
  /** The lines of the file of effects. */
  effects(): Promise<readonly string[]>
  end(): Promise<void>
}

let worlds = 0

/** For races in which a replica ends or hangs: what it held lapses soon. Elsewhere a busy machine must not look like a lost one. */
export const LAPSING = { limits: { leaseMs: 1000, handlerTimeoutMs: 400 } }

/** PostgreSQL is that of all races, unless one is given; the settings are those of every replica. */
export async function createWorld(
  { engine, replicas }: Deployment,
  server?: Pick<PostgresServer, 'database'>,
  settings: object = {},
): Promise<World> {
  const home = await mkdtemp(join(tmpdir(), 'svc-races-'))
  const keys = join(home, 'keys')
  const effects = join(home, 'effects')
  await writeNewKeys(keys, ['manifest', 'tokens', 'audit'], Date.now())
  const storage = engine === 'sqlite' ? { file: join(home, 'service.db') } : { url: await freshDatabase(server) }
  const running: Replica[] = []

  const start = async (differences: object = {}, under: readonly string[] = []): Promise<Replica> => {
    const replica = await launch({ keys, storage, effects, ...settings, ...differences }, under)
    running.push(replica)
    return replica
  }
  const urlOf = (replica: number, path: string): string => running[replica % running.length]!.url + path
  await Promise.all(Array.from({ length: replicas }, () => start()))
  return {
    home,
    keys,
    storage,
    replicas: running,
    start,
    post: (replica, path, bearer, body, headers) => request(urlOf(replica, path), 'POST', bearer, body, headers),
    get: (replica, path) => request(urlOf(replica, path), 'GET'),
    effects: async () => (await readFile(effects, 'utf8').catch(() => '')).split('\n').filter((line) => line !== ''),
    end: async () => {
      await Promise.all(running.map(kill))
      await rm(home, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}

async function freshDatabase(server: Pick<PostgresServer, 'database'> | undefined): Promise<string> {
  const name = `races_${process.pid}_${++worlds}`
  if (server !== undefined) return server.database(name)
  const client = new pg.Client({ connectionString: `${inject('postgres')}/postgres` })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return `${inject('postgres')}/${name}`
}

async function launch(config: object, under: readonly string[]): Promise<Replica> {
  const server = new URL('./server.js', import.meta.url).pathname
  const [command = process.execPath, ...args] = [...under, process.execPath, server, JSON.stringify(config)]
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk) => (said = (said + String(chunk)).slice(-4000)))
  const lines = createInterface({ input: child.stdout })
  const first = await Promise.race([once(lines, 'line'), once(child, 'exit')])
  if (typeof first[0] !== 'string' || !first[0].startsWith('http')) throw new Error(`The server did not start: ${said}`)
  const [url, cpuMs] = first[0].split(' ')
  return { url: url!, process: child, cpuMs: Number(cpuMs) }
}

/** `kill -9`, and the wait for it. */
export async function kill({ process: child }: Replica): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function request(url: string, method: string, bearer?: string, body?: unknown, headers = {}): Promise<Reply> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Reading }
}
