import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'

const SVC = resolve('bin/svc.cjs')
const QUIET_MS = 3000

let parent: string
let folder: string
let running: ChildProcess
let printed: string

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'svc-quiet-'))
  folder = join(parent, 'shop')
  expect(spawnSync(process.execPath, [SVC, 'init', folder, '--yes']).status).toBe(0)
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(resolve('.'), join(folder, 'node_modules/svc-kit'), 'junction')
  printed = ''
})
afterEach(async () => {
  const ended = once(running, 'exit')
  if (running.exitCode === null && running.kill('SIGTERM')) await ended
  rmSync(parent, { recursive: true, force: true, maxRetries: 5 })
})

function start(...command: readonly string[]): void {
  const env = { ...process.env, PORT: '0', NO_COLOR: '1' }
  running = spawn(process.execPath, [SVC, ...command], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [running.stdout, running.stderr])
    stream?.on('data', (data: Buffer) => (printed += data.toString()))
}

const path = (name: string): string => join(folder, name)
const text = (name: string): string => readFileSync(path(name), 'utf8')
const save = (name: string, content: string): void => writeFileSync(path(name), content)
const count = (words: string): number => printed.split(words).length - 1
const builds = (): number => count('built in')

/** Makes an edit and waits for its build; says how many more there are when nothing was edited for a while after. */
async function furtherBuildsAfter(edit: () => void): Promise<number> {
  const before = builds()
  edit()
  await expect.poll(builds, { timeout: 30_000 }).toBeGreaterThan(before)
  // On a busy machine the watcher may see one edit as two.
  await pass(QUIET_MS)
  const then = builds()
  await pass(QUIET_MS)
  return builds() - then
}

const STATE = `    inputs:
      - name: state
        type: object
        description: The state that was.
        x-schema: { $ref: ./state.json }
`
const schemaWith = (property: string): string =>
  JSON.stringify({ type: 'object', properties: { [property]: { type: 'string' } } })

it('svc dev builds a quiet project once, and again after an edit of manifest, schema or handler', async () => {
  save('state.json', schemaWith('name'))
  start('dev')
  await expect.poll(() => printed, { timeout: 30_000 }).toContain('shop listens on')
  // By then the service has made a checkpoint, too, and remembers it in a file of its own.
  await pass(11_000)
  expect(readdirSync(path('keys')).filter((name) => name.endsWith('.json'))).not.toEqual([])
  expect(builds()).toBe(1)

  expect(await furtherBuildsAfter(() => save('svc.yaml', text('svc.yaml').replace('    inputs:\n', STATE)))).toBe(0)
  expect(text('generated/values.ts')).toContain('name?: string')

  expect(await furtherBuildsAfter(() => save('state.json', schemaWith('title')))).toBe(0)
  expect(text('generated/values.ts')).toContain('title?: string')

  const handler = 'src/handlers/get_status.ts'
  expect(await furtherBuildsAfter(() => save(handler, `${text(handler)}// edited\n`))).toBe(0)
}, 120_000)

it('svc validate --watch checks once what is quiet, whatever it writes', async () => {
  start('validate', '--watch', '--out', 'json=found.json')
  await expect.poll(() => printed, { timeout: 30_000 }).toContain('problems in 1 file')
  await pass(QUIET_MS)
  expect(count('problems in 1 file')).toBe(1)
}, 60_000)
