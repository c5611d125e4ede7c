import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { build } from '../../src/cli/build/run.js'
import { init } from '../../src/cli/init/run.js'

let parent: string
const at = (storage: string): string => join(parent, storage)

/** What a user installs, where nobody has installed `pg`. */
function installWithoutPg(modules: string): void {
  mkdirSync(join(modules, 'svc-kit'), { recursive: true })
  for (const path of ['bin', 'dist', 'package.json', 'templates'])
    cpSync(path, join(modules, 'svc-kit', path), { recursive: true })
  for (const name of ['jose', 'pino', 'libsql'])
    symlinkSync(resolve('node_modules', name), join(modules, name), 'junction')
  // As npm links a command.
  mkdirSync(join(modules, '.bin'))
  if (process.platform === 'win32')
    writeFileSync(join(modules, '.bin/svc.cmd'), '@node "%~dp0..\\svc-kit\\bin\\svc.cjs" %*')
  else symlinkSync('../svc-kit/bin/svc.cjs', join(modules, '.bin/svc'))
}

beforeAll(async () => {
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockReturnValue(true)
  parent = mkdtempSync(join(tmpdir(), 'svc-cannot-start-'))
  installWithoutPg(join(parent, 'node_modules'))
  for (const storage of ['sqlite', 'postgres']) {
    await init(at(storage), { yes: true, template: 'minimal', storage })
    await build(at(storage), { check: false, force: false })
  }
  vi.restoreAllMocks()
}, 120_000)

afterAll(() => rmSync(parent, { recursive: true, force: true, maxRetries: 20 }))

/** How a built service ends that is given this database. */
function started(storage: string, database: string | undefined) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--enable-source-maps', 'dist/server.mjs'], {
    cwd: at(storage),
    encoding: 'utf8',
    timeout: 20_000,
    env: { ...process.env, SVC_DATABASE: database, PORT: '0' },
  })
  return { status, stdout, stderr }
}

// prettier-ignore
it.each([
  ['postgres', 'postgresql://svc:secret@127.0.0.1:1/shop', 'PostgreSQL could not answer: connect ECONNREFUSED 127.0.0.1:1\n'],
  ['postgres', 'data/shop.db', 'The storage of this service is PostgreSQL, and data/shop.db is no postgresql:// address. Write it as postgresql://user:password@host:5432/name.\n'],
  ['postgres', 'mysql://svc:secret@db/shop', 'The storage of this service is PostgreSQL, and its database is no postgresql:// address. Write it as postgresql://user:password@host:5432/name.\n'],
  ['postgres', '', 'The storage of this service is PostgreSQL, and its database is no postgresql:// address. Write it as postgresql://user:password@host:5432/name.\n'],
  ['sqlite', 'postgresql://svc:secret@127.0.0.1/shop', 'The storage of this service is a SQLite file, and postgresql:// begins an address. Name a path, as data/service.db, or open the address with openPostgres.\n'],
  ['sqlite', 'file:///data/shop.db', 'The storage of this service is a SQLite file, and file:// begins an address. Name a path, as data/service.db.\n'],
] as const)('a service with %s and the database %j ends in one sentence', (storage, database, stderr) => {
  expect(started(storage, database)).toEqual({ status: 2, stdout: '', stderr })
  expect(['postgresql:', 'file:', 'mysql:'].filter((name) => existsSync(join(at(storage), name)))).toEqual([])
})

it('a service reads .env beside it, and what the environment has already stays', () => {
  appendFileSync(join(at('postgres'), '.env'), '\nSVC_DATABASE=data/of-the-file.db\n')
  expect(started('postgres', undefined).stderr).toContain('and data/of-the-file.db is no postgresql:// address')
  expect(started('postgres', 'data/given.db').stderr).toContain('and data/given.db is no postgresql:// address')
})

it('npm start without a build says how to build', () => {
  rmSync(join(at('sqlite'), 'dist'), { recursive: true })
  const [program, ...args] = process.platform === 'win32' ? ['npm.cmd', 'start'] : ['npm', 'start']
  const { status, stderr } = spawnSync(program!, [...args, '--silent'], {
    cwd: at('sqlite'),
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  const lines = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('npm warn'))
  expect({ status, lines }).toEqual({
    status: 1,
    lines: ['svc: There is no dist/server.mjs. Make it with: npm run build'],
  })
})
