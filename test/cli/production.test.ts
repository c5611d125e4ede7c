/** `svc doctor --production`: each question, answered well and badly. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { EXAMINATIONS } from '../../src/cli/doctor/examinations.js'
import { PRODUCTION } from '../../src/cli/doctor/production.js'
import { init } from '../../src/cli/init/run.js'
import { pinnedText } from '../../src/compiler/mcp-tools/print-tools.js'

let folder: string
beforeAll(async () => {
  folder = join(mkdtempSync(join(tmpdir(), 'svc-production-')), 'shop')
  const quiet = vi.spyOn(process.stdout, 'write').mockImplementation(() => true)
  await init(folder, { yes: true })
  quiet.mockRestore()
  writeFileSync(join(folder, 'note'), 'cosigned')
  writeFileSync(join(folder, 'old'), 'cosigned')
  utimesSync(join(folder, 'old'), 1, 1)
  for (const [name, hours] of [
    ['yesterday', 25],
    ['today', 23],
  ] as const) {
    const at = Date.now() / 1000 - hours * 3600
    writeFileSync(join(folder, name), 'cosigned')
    utimesSync(join(folder, name), at, at)
  }
  writeFileSync(join(folder, 'open.db'), '')
  chmodSync(join(folder, 'open.db'), 0o644)
})
afterAll(() => rmSync(join(folder, '..'), { recursive: true }))
afterEach(() => vi.unstubAllEnvs())

async function asked(name: string, env: { readonly [name: string]: string }) {
  for (const [each, value] of Object.entries(env)) vi.stubEnv(each, value)
  const found = await PRODUCTION.find((each) => each.name === name)!.of(folder)
  return [found?.state, found?.says] as const
}

it.each([
  ['development', {}, 'ok', 'is off'],
  ['development', { SVC_DEVELOPMENT: 'true' }, 'error', 'API keys open the console'],
  ['keys', {}, 'ok', 'each role signs'],
  ['keys', { SVC_KEYS: 'none' }, 'error', 'There is no folder'],
  ['keys', { SVC_KEYS: 'src' }, 'error', 'Others may read'],
  ['TLS', {}, 'error', 'SVC_PUBLIC_URL is not set.'],
  ['TLS', { SVC_PUBLIC_URL: 'http://svc.example' }, 'error', '"http://svc.example"'],
  ['TLS', { SVC_PUBLIC_URL: 'https://svc.example' }, 'ok', 'by a proxy on this machine'],
  ['TLS', { SVC_PUBLIC_URL: 'https://svc.example', HOST: '0.0.0.0' }, 'warning', 'listens on 0.0.0.0 without TLS'],
  ['database', { SVC_DATABASE: '' }, 'error', 'SVC_DATABASE is not set.'],
  ['database', {}, 'ok', 'data/shop.db'],
  ['database', { SVC_DATABASE: 'data/shop.db' }, 'ok', 'data/shop.db'],
  ['database', { SVC_DATABASE: 'open.db' }, 'error', 'mode 0644'],
  ['database', { SVC_DATABASE: 'postgresql://a:secret@db.example/shop' }, 'warning', 'postgresql://db.example/shop does not ask for TLS'],
  ['database', { SVC_DATABASE: 'postgresql://a:secret@db.example/shop?sslmode=verify-full' }, 'ok', 'postgresql://db.example/shop'],
  ['roles', {}, 'warning', 'No key has the role operator, auditor, metrics.'],
  ['roles', { SVC_API_KEYS: 'none.json' }, 'ok', 'from the identity provider'],
  ['retention', {}, 'ok', 'every capability'],
  ['state', {}, 'ok', 'keys'],
  ['state', { SVC_STATE_DIR: 'none' }, 'error', 'a restored backup would not be noticed'],
  ['witness', {}, 'warning', 'Nobody is known'],
  ['witness', { SVC_WITNESS_NOTE: 'none' }, 'error', 'There is no cosigned note'],
  ['witness', { SVC_WITNESS_NOTE: 'old' }, 'error', 'd old'],
  ['witness', { SVC_WITNESS_NOTE: 'yesterday' }, 'error', '1 d old'],
  ['witness', { SVC_WITNESS_NOTE: 'today' }, 'ok', 'today'],
  ['witness', { SVC_WITNESS_NOTE: 'note' }, 'ok', 'note'],
] as const)('%s with %j is %s: %s', async (name, env, state, says) => {
  const [found, said] = await asked(name, env)
  expect([found, said]).toEqual([state, expect.stringContaining(says)])
  expect(said).not.toContain('secret')
}) // prettier-ignore

it.each([
  ['SVC_DEVELOPMENT=true', 'development', 'error', 'API keys open the console'],
  ['SVC_DATABASE=open.db', 'database', 'error', 'mode 0644'],
  ['SVC_PUBLIC_URL=https://svc.example', 'TLS', 'ok', 'by a proxy on this machine'],
] as const)('a line %s of .env, which main.ts reads, is what is judged', async (line, name, state, says) => {
  const file = join(folder, '.env')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, `${text}${line}\n`)
  onTestFinished(() => writeFileSync(file, text))
  expect(await asked(name, {})).toEqual([state, expect.stringContaining(says)])
})

it('a key that never ends is doubted', async () => {
  const key = { id: 'ana', principal: 'human:ana', sha256: 'a'.repeat(64), scopes: [] }
  writeFileSync(join(folder, 'endless.json'), JSON.stringify([key]), { mode: 0o600 })
  expect(await asked('roles', { SVC_API_KEYS: 'endless.json' })).toEqual(['warning', 'These keys never end: ana.'])
})

it('retention is doubted of a capability that logs and says no time', async () => {
  const file = join(folder, 'svc.yaml')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace('retention: P90D, ', ''))
  const [state, says] = await asked('retention', {})
  writeFileSync(file, text)
  expect([state, says]).toEqual(['warning', expect.stringContaining('Entries are kept for ever of ')])
})

it('retention is not praised in a manifest with errors', async () => {
  const file = join(folder, 'svc.yaml')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace('capabilities:', 'capabilties:'))
  const answer = await asked('retention', {})
  writeFileSync(file, text)
  expect(answer).toEqual([undefined, undefined])
})

it.each([
  ['"confinement": "namespaces"', 'ok', 'every imported MCP server is confined'],
  ['"confinement": "none", "reason": "It is ours."', 'error', 'The MCP server notes runs without confinement, and reaches all that the service reaches: It is ours.'],
] as const)('a server with %s is %s in production', async (confinement, state, says) => {
  const file = join(folder, 'src/notes.pinned.ts')
  writeFileSync(file, pinnedText(`{ "name": "notes", "server": { "package": "notes", ${confinement} }, "tools": {} }`))
  onTestFinished(() => rmSync(file))
  expect(await asked('confinement', {})).toEqual([state, says])
  const forDeveloper = await EXAMINATIONS.find(({ name }) => name === 'servers')!.of(folder)
  expect([forDeveloper?.state, forDeveloper?.says]).toEqual([state === 'ok' ? 'ok' : 'warning', says])
}) // prettier-ignore

it('a project without imported servers is not asked of their confinement', async () => {
  expect(await asked('confinement', {})).toEqual([undefined, undefined])
})
