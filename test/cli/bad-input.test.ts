/** Bad input at each step of a user's path: one clear message that says what to do, the documented exit code, and nothing changed. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs' // prettier-ignore
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

const CLI = resolve('bin/svc.cjs')
const base = mkdtempSync(join(tmpdir(), 'svc-bad-input-'))
const sound = join(base, 'sound')

const run = (cwd: string, command: readonly string[], env: { readonly [name: string]: string } = {}) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd,
    encoding: 'utf8',
    timeout: 60_000,
    env: { PATH: process.env['PATH'], NO_COLOR: '1', CI: 'true', ...env },
  })
  return { status, said: `${stdout}${stderr}` }
}
const svc = (cwd: string, ...args: readonly string[]) => run(cwd, [CLI, ...args])

/** Every file of a folder with the digest of its bytes. */
const contents = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => !file.startsWith('node_modules') && statSync(join(folder, file)).isFile())
    .map((file) => `${file} ${createHash('sha256').update(readFileSync(join(folder, file))).digest('hex')}`)
    .sort() // prettier-ignore

let copies = 0
function copy(): string {
  const folder = join(base, `copy-${copies++}`)
  cpSync(sound, folder, { recursive: true, verbatimSymlinks: true })
  return folder
}

function edit(folder: string, file: string, change: (text: string) => string): void {
  writeFileSync(join(folder, file), change(readFileSync(join(folder, file), 'utf8')))
}

beforeAll(() => {
  expect(svc(base, 'init', 'sound', '--yes').status).toBe(0)
  mkdirSync(join(sound, 'node_modules'))
  symlinkSync(resolve('.'), join(sound, 'node_modules/svc-kit'), 'junction')
  expect(svc(sound, 'build').status).toBe(0)
  expect(svc(sound, 'sign').status).toBe(0)
})
afterAll(() => rmSync(base, { recursive: true, force: true, maxRetries: 20 }))

it('an unknown template', () => {
  const { status, said } = svc(base, 'init', 'other', '--yes', '--template', 'nope')
  expect([status, readdirSync(base).includes('other')]).toEqual([2, false])
  expect(said).toMatch(/^svc: There is no template "nope"; there are minimal and travel/u)
})

it('a folder that holds a service already', () => {
  const before = contents(sound)
  const { status, said } = svc(base, 'init', 'sound', '--yes')
  expect([status, contents(sound)]).toEqual([2, before])
  expect(said).toMatch(/already: .*svc\.yaml.* Nothing was written\. Choose another folder/u)
})

it.each([
  ['a misspelt key', (text: string) => text.replace('side_effect', 'side_efect'), 'Did you mean `side_effect`?'],
  ['broken YAML', () => 'capabilities: [1, 2\nb: x', 'SVC0101 yaml-syntax'],
] as const)('%s', (_name, change, message) => {
  const folder = copy()
  edit(folder, 'svc.yaml', change)
  const before = contents(folder)
  const [validated, built] = [svc(folder, 'validate'), svc(folder, 'build')]
  expect([validated.status, built.status, contents(folder)]).toEqual([1, 1, before])
  expect(validated.said).toContain(message)
  expect(built.said).toContain('Nothing was written; fix them and run svc build again.')
})

it('a handler that is not handed over', () => {
  const folder = copy()
  edit(folder, 'src/handlers/index.ts', () => '')
  const { said } = svc(folder, 'build')
  expect(said).toContain("Add to src/handlers/index.ts:\n       export { getStatus } from './get_status.js'")
  const compiler = resolve('node_modules/typescript-5.9/lib/tsc.js')
  const types = `--typeRoots ${resolve('node_modules/@types')}`.split(' ')
  const compiled = run(folder, [compiler, '--noEmit', '-p', '.', ...types])
  expect([compiled.status, compiled.said]).toEqual([2, expect.stringMatching(/^main\.ts\(\d+,\d+\): error .*'getStatus' is missing/u)])
}) // prettier-ignore

it('a key that others may read', () => {
  const folder = copy()
  const key = readdirSync(join(folder, 'keys')).find((name) => name.endsWith('.json'))!
  chmodSync(join(folder, 'keys', key), 0o644)
  const { status, said } = run(folder, ['dist/server.mjs'])
  expect([status, said]).toEqual([2, `Others may read the private key keys/${key} (mode 0644). Run: chmod 600 keys/${key}\n`])
}) // prettier-ignore

it('a port in use', async () => {
  const taken = await new Promise<Server>((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => done(server))
  })
  const { port } = taken.address() as { readonly port: number }
  const { status, said } = run(copy(), ['dist/server.mjs'], { PORT: String(port) })
  taken.close()
  expect([status, said]).toEqual([
    2,
    `Port ${port} on 127.0.0.1 is in use. Stop the process that uses it, or choose another port.\n`,
  ])
})

it('a manifest that was changed after it was signed', () => {
  const folder = copy()
  edit(folder, 'dist/manifest.json', (text) => text.replace('sound.read', 'sound.reed'))
  const before = contents(folder)
  const { status, said } = svc(folder, 'verify', 'dist/manifest.json', '--jwks', 'dist/jwks.json')
  expect([status, contents(folder)]).toEqual([1, before])
  expect(said).toContain('/capabilities/get_status/minimum_scope/0 is "sound.reed", expected "sound.read"')
}) // prettier-ignore
