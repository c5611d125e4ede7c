/** PostgreSQL with a synchronous standby, of which the primary dies and the standby takes over. */
import { execFileSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { asNobody, findBinaries, freePort, launch, urlOf } from '../runtime/storage/postgres-server.js'

interface Node {
  readonly data: string
  readonly port: number
  readonly process: ChildProcess
}

export interface Pair {
  readonly primary: () => number
  database(name: string): Promise<string>
  /** `kill -9` of the primary and all its processes, then promotion of the standby. Gives the dead one. */
  failOver(): Promise<Dead>
  /** Gives the primary a new standby, for which every commit waits from then on. */
  addStandby(): Promise<void>
  stop(): Promise<void>
}

/** A primary that died, and may return on its own data and port, where it waits for no standby. */
export interface Dead {
  readonly port: number
  returns(): Promise<void>
}

export async function startPair(): Promise<Pair> {
  const home = await mkdtemp(join(tmpdir(), 'svc-pair-'))
  const binaries = await findBinaries(home)
  await chmod(home, 0o755)
  if ('uid' in asNobody) await chown(home, asNobody.uid!, asNobody.gid!)
  const run = (program: string, ...args: readonly string[]): void =>
    void execFileSync(join(binaries.folder, program), args, {
      ...asNobody,
      env: binaries.env,
      cwd: home,
      stdio: 'pipe',
      timeout: 60_000,
    })
  const started = new Set<ChildProcess>()
  const start = async (data: string, port: number): Promise<Node> => {
    const process = await launch(binaries, argsOf(data, port, home), home, port)
    started.add(process)
    return { data, port, process }
  }

  let made = 0
  const newFolder = (): string => join(home, `node-${++made}`)
  const first = newFolder()
  run('initdb', '-D', first, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N')
  let primary = await start(first, await freePort())
  let standby: Node | undefined

  const addStandby = async (): Promise<void> => {
    const data = newFolder()
    run(
      'pg_basebackup',
      '-h',
      '127.0.0.1',
      '-p',
      String(primary.port),
      '-U',
      'postgres',
      '-D',
      data,
      '-R',
      '-c',
      'fast',
    )
    standby = await start(data, await freePort())
    await ask(primary.port, `alter system set synchronous_standby_names = '*'`, 'select pg_reload_conf()')
    await until(primary.port, `select 1 from pg_stat_replication where sync_state = 'sync'`)
  }
  await addStandby()

  return {
    primary: () => primary.port,
    database: async (name) => {
      await ask(primary.port, `create database ${name}`)
      return urlOf(primary.port, name)
    },
    failOver: async () => {
      const dead = primary
      if (standby === undefined) throw new Error('There is no standby to promote.')
      await killAll(dead)
      await ask(standby.port, 'select pg_promote(true, 30)')
      primary = standby
      standby = undefined
      return {
        port: dead.port,
        returns: async () => {
          await start(dead.data, dead.port)
          await ask(dead.port, `alter system set synchronous_standby_names = ''`, 'select pg_reload_conf()')
        },
      }
    },
    addStandby,
    stop: async () => {
      for (const each of started) each.kill('SIGQUIT')
      await Promise.all([...started].map((each) => each.exitCode ?? each.signalCode ?? once(each, 'exit')))
      await rm(home, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}

const argsOf = (data: string, port: number, sockets: string): readonly string[] => [
  '-D',
  data,
  '-p',
  String(port),
  '-h',
  '127.0.0.1',
  '-k',
  sockets,
  '-c',
  'wal_keep_size=64MB',
]

/** Ends the server and the processes of its connections at one moment, as a machine that loses its power. */
async function killAll({ process: server }: Node): Promise<void> {
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)], { encoding: 'utf8' })
  const ended = once(server, 'exit')
  for (const pid of [server.pid!, ...children.split('\n').filter(Boolean).map(Number)]) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended by itself in between.
    }
  }
  await ended
}

async function ask(port: number, ...statements: readonly string[]): Promise<number> {
  const client = new pg.Client({ connectionString: urlOf(port, 'postgres') })
  await client.connect()
  try {
    let rows = 0
    for (const sql of statements) rows = (await client.query(sql)).rows.length
    return rows
  } finally {
    await client.end()
  }
}

async function until(port: number, sql: string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if ((await ask(port, sql)) > 0) return
    await sleep(50)
  }
  throw new Error(`Never true: ${sql}`)
}
