import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

const SVC = resolve('bin/svc.cjs')
let parent: string
let folder: string
let running: ChildProcess | undefined
let said: string
let told: () => void

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'svc-dev-'))
  folder = join(parent, 'shop')
  expect(spawnSync(process.execPath, [SVC, 'init', folder, '--yes']).status).toBe(0)
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(resolve('.'), join(folder, 'node_modules/svc-kit'), 'junction')
  said = ''
  told = () => undefined
})
afterEach(async () => {
  if (running?.exitCode === null) {
    const ended = once(running, 'exit')
    if (running.kill('SIGTERM')) await ended
  }
  running = undefined
  rmSync(parent, { recursive: true, force: true, maxRetries: 5 })
})

function watching(flags: readonly string[], ...command: readonly string[]): void {
  const env = { ...process.env, PORT: '0', NO_COLOR: '1' }
  running = spawn(process.execPath, [...flags, SVC, ...command], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [running.stdout, running.stderr])
    stream?.on('data', (data: Buffer) => {
      said += data.toString()
      told()
    })
}

/** Waits until something is said that was not before; gives its first group. */
async function says(pattern: RegExp): Promise<string> {
  for (;;) {
    const match = pattern.exec(said)
    if (match !== null) {
      said = said.slice(match.index + match[0].length)
      return match[1] ?? ''
    }
    await new Promise<void>((resolve) => (told = resolve))
  }
}

const LISTENS = /shop listens on (http\S+)/u
const STANDS = /the last good build stands/u
const manifest = () => readFileSync(join(folder, 'svc.yaml'), 'utf8')
const save = (text: string) => writeFileSync(join(folder, 'svc.yaml'), text)
const described = (text: string) => manifest().replace(/( {4}description: ).*/u, `$1${text}`)

async function descriptionAt(url: string): Promise<string> {
  const response = await fetch(`${url}/.well-known/svc`)
  const { svc_discovery } = (await response.json()) as {
    svc_discovery: { capabilities: { get_status: { description: string } } }
  }
  return svc_discovery.capabilities.get_status.description
}

const untilKept = () =>
  expect.poll(() => existsSync(join(folder, 'node_modules/.cache/svc-dev/server.mjs')), { timeout: 60_000 }).toBe(true)

it('serves the last good version while the manifest is half-written or the code is broken', async () => {
  watching([], 'dev')
  const first = await says(LISTENS)
  const good = manifest()

  save(good.slice(0, good.length / 2))
  await says(STANDS)
  expect(await descriptionAt(first)).toContain('state of the service')

  const handler = join(folder, 'src/handlers/get_status.ts')
  const code = readFileSync(handler, 'utf8')
  writeFileSync(handler, `${code}\nexport const = 1\n`)
  await says(STANDS)
  save(good)
  await says(STANDS)
  expect(await descriptionAt(first)).toContain('state of the service')

  writeFileSync(handler, code)
  save(described('Say how the service does.'))
  const second = await says(LISTENS)
  expect(await descriptionAt(second)).toBe('Say how the service does.')
}, 120_000)

it('shows wrong types beside what it serves, and says when they are right again', async () => {
  mkdirSync(join(folder, 'node_modules/@types'))
  for (const name of ['typescript', 'vitest', '@types/node'])
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name), 'junction')
  watching([], 'dev')
  const url = await says(LISTENS)
  const wrong = join(folder, 'src/wrong.ts')
  writeFileSync(wrong, "export const state: number = 'up'\n")
  await says(/src\/wrong\.ts:1:14 - error TS2322: .*\nthe types of your code have errors; what was built is served/u)
  expect(await descriptionAt(url)).toContain('state of the service')

  writeFileSync(wrong, "export const state: string = 'up'\n")
  await says(/the types of your code are right again/u)
}, 120_000)

it('serves the last version that started, when a new one does not', async () => {
  watching([], 'dev')
  await says(LISTENS)
  await untilKept()
  const main = join(folder, 'main.ts')
  const code = readFileSync(main, 'utf8')
  writeFileSync(main, `await new Promise((done) => setTimeout(done, 1500))\nthrow new Error('no start')\n${code}`)
  await says(/the last that started well serves/u)
  expect(await descriptionAt(await says(LISTENS))).toContain('state of the service')

  writeFileSync(main, code)
  save(described('Say how the service does.'))
  expect(await descriptionAt(await says(LISTENS))).toBe('Say how the service does.')
}, 120_000)

it('shows no console on its first screen where the service has none', async () => {
  const main = join(folder, 'main.ts')
  writeFileSync(main, readFileSync(main, 'utf8').replace('surfaces: [pages]', 'surfaces: []'))
  watching([], 'dev')
  expect(await says(/^ {2}API +http\S+\n +(\w+) /mu)).toBe('agent')
}, 120_000)

it('ends when what it started has ended', async () => {
  const main = join(folder, 'main.ts')
  writeFileSync(main, `${readFileSync(main, 'utf8')}\nconsole.log(\`pid \${process.pid},\`)\n`)
  watching([], 'dev')
  const pid = Number(await says(/pid (\d+),/u))
  const ended = once(running!, 'exit')
  running!.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
}, 120_000)

it('serves again when the server was killed', async () => {
  const main = join(folder, 'main.ts')
  writeFileSync(main, `${readFileSync(main, 'utf8')}\nconsole.log(\`pid \${process.pid},\`)\n`)
  watching([], 'dev')
  const pid = Number(await says(/pid (\d+),/u))
  await untilKept()
  process.kill(pid, 'SIGKILL')
  await says(/the server ended with SIGKILL; the last that started well serves/u)
  expect(await descriptionAt(await says(LISTENS))).toContain('state of the service')
  save(described('Say how the service does.'))
  expect(await descriptionAt(await says(LISTENS))).toBe('Say how the service does.')
}, 120_000)

it.each(['dev', 'build --watch', 'validate --watch'])(
  'svc %s says what to do when the system watches no more files',
  (command) => {
    const shim = join(parent, 'full.cjs')
    writeFileSync(
      shim,
      `require('node:fs').watch = (path) => {
        throw Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'watch', path })
      }
      require('node:module').syncBuiltinESMExports()`,
    )
    const { status, stderr } = spawnSync(process.execPath, ['--require', shim, SVC, ...command.split(' ')], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(stderr).toMatch(/^svc: Cannot watch .*max_user_watches.*\n$/u)
    expect(status).toBe(2)
  },
)

it('watches on where a folder may not be read', async () => {
  mkdirSync(join(folder, 'locked'))
  const shim = join(parent, 'locked.cjs')
  writeFileSync(
    shim,
    `const fs = require('node:fs')
    const { watch } = fs
    fs.watch = (path, ...rest) => {
      if (!String(path).endsWith('locked')) return watch(path, ...rest)
      throw Object.assign(new Error('locked'), { code: 'EACCES', syscall: 'watch', path })
    }
    require('node:module').syncBuiltinESMExports()`,
  )
  watching(['--require', shim], 'build', '--watch')
  await says(/built in/u)
  save(described('Say how the service does.'))
  await says(/built in/u)
}, 120_000)

it('builds what was saved last, however it was saved', async () => {
  watching([], 'build', '--watch')
  await says(/built in/u)
  const good = described('Say how it does.')
  save('')
  for (let end = 100; end < good.length; end += 200) save(good.slice(0, end))
  save(good)
  while (!readFileSync(join(folder, 'generated/handlers.ts'), 'utf8').includes('Say how it does.'))
    await says(/built in/u)
  const discovery = readFileSync(join(folder, 'dist/discovery.json'), 'utf8')
  expect(discovery).toContain('Say how it does.')
}, 120_000)
