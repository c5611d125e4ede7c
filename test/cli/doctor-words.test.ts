/** `svc doctor`: what each question says, and what to do, word for word. */
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { clockIsRight } from '../../src/cli/doctor/clock.js'
import { connectionsHaveKey } from '../../src/cli/doctor/connections.js'
import { apiKeysAreGood, environmentIsPrivate, signingKeysAreReadable } from '../../src/cli/doctor/credentials.js'
import type { Examination } from '../../src/cli/doctor/examination.js'
import { EXAMINATIONS } from '../../src/cli/doctor/examinations.js'
import { nodeIsSupported, packagesAreInstalled } from '../../src/cli/doctor/machine.js'
import { PRODUCTION } from '../../src/cli/doctor/production.js'
import { buildIsCurrent, manifestIsValid } from '../../src/cli/doctor/project.js'
import { examine } from '../../src/cli/doctor/run.js'
import { packageVersion } from '../../src/cli/shared/files/package-root.js'
import { svc } from '../trust/command.js'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-doctor-words-'))
})
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

let made = 0
/** A folder of its own, with these files. */
function folderOf(files: { readonly [path: string]: string } = {}): string {
  const root = join(folder, String((made += 1)))
  mkdirSync(root)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text, { mode: 0o600 })
  }
  return root
}
const ask = async ({ of }: Examination, root: string) => of(root)
const OWN = JSON.stringify({ dependencies: { 'svc-kit': '1', pg: '8' } })
const KEY = { id: 'a', principal: 'human:ana', sha256: 'a'.repeat(64), scopes: [] }

describe('svc doctor', () => {
  it('asks these questions, in this order', () => {
    expect(EXAMINATIONS.map(({ name }) => name)).toEqual(['node', 'packages', 'manifest', 'build', 'signing keys', 'connections', 'API keys', '.env', 'servers', 'clock']) // prettier-ignore
    expect(PRODUCTION.map(({ name }) => name)).toEqual(['development', 'keys', 'TLS', 'database', 'schema', 'roles', 'retention', 'confinement', 'state', 'witness', 'NTP']) // prettier-ignore
  })

  it.each([
    ['20.18.9', false],
    ['20.19.0', true],
    ['21.9.0', false],
    ['22.12.0', false],
    ['22.13.0', true],
    ['23.0.0', false],
    ['24.0.0', true],
    ['25.0.0', true],
  ])('Node %s is supported: %s', async (node, isSupported) => {
    vi.stubGlobal('process', Object.create(process, { versions: { value: { node } }, version: { value: `v${node}` } }))
    expect(await ask(nodeIsSupported, '.')).toEqual(
      isSupported
        ? { state: 'ok', says: `v${node}` }
        : { state: 'error', says: `v${node} is not supported; svc-kit needs ^20.19.0 || ^22.13.0 || >=24.`, remedy: 'Install the newest Node 24.' },
    ) // prettier-ignore
  })

  it.each([
    ['no package.json', {}, 'There is no package.json.', 'Make a project with: svc init <name>'],
    ['none that names it', { 'package.json': '{}' }, 'package.json does not name svc-kit.', 'Run: npm install --save-dev svc-kit'],
    ['none installed', { 'package.json': OWN }, 'Not installed: svc-kit, pg.', 'Run: npm install'],
    ['one installed', { 'package.json': OWN, 'node_modules/svc-kit/package.json': '{}' }, 'Not installed: pg.', 'Run: npm install'],
  ])('of packages with %s says so', async (_, files, says, remedy) => {
    expect(await ask(packagesAreInstalled, folderOf(files))).toEqual({ state: 'error', says, remedy })
  }) // prettier-ignore

  it('finds packages in a workspace above, and compares versions', async () => {
    const above = folderOf({ 'node_modules/svc-kit/package.json': '{"version":"0.0.1"}', 'node_modules/pg/package.json': '{}', 'shop/package.json': OWN }) // prettier-ignore
    expect(await ask(packagesAreInstalled, join(above, 'shop'))).toEqual({ state: 'warning', says: `The project has svc-kit 0.0.1, and this is ${packageVersion()}.`, remedy: 'Run it as: npx svc' }) // prettier-ignore
    writeFileSync(join(above, 'node_modules/svc-kit/package.json'), JSON.stringify({ version: packageVersion() }))
    expect(await ask(packagesAreInstalled, join(above, 'shop'))).toEqual({ state: 'ok', says: `svc-kit ${packageVersion()}` }) // prettier-ignore
  })

  it('says of the manifest whether it is there, valid, and has more to say', async () => {
    const root = folderOf()
    expect(await ask(manifestIsValid, root)).toEqual({ state: 'error', says: 'There is no svc.yaml.', remedy: 'Make a project with: svc init <name>' }) // prettier-ignore
    expect(await ask(buildIsCurrent, root)).toBeUndefined()
    cpSync('examples/minimal/svc.yaml', join(root, 'svc.yaml'))
    expect(await ask(manifestIsValid, root)).toEqual({ state: 'ok', says: 'svc.yaml is valid' })
    expect(await ask(buildIsCurrent, root)).toEqual({ state: 'error', says: 'Nothing was built yet.', remedy: 'Run: svc build' }) // prettier-ignore
    appendFileSync(join(root, 'svc.yaml'), '\nx-one: [1, {a: 1, a: 2}]\n')
    expect(await ask(manifestIsValid, root)).toEqual({ state: 'error', says: 'svc.yaml has 1 error.', remedy: 'Run: svc validate' }) // prettier-ignore
    appendFileSync(join(root, 'svc.yaml'), 'x-two: {a: 1, a: 2}\n')
    expect(await ask(manifestIsValid, root)).toMatchObject({ says: 'svc.yaml has 2 errors.' })
  })

  it('says of signing keys where they are missed, and how many there are', async () => {
    const root = folderOf()
    expect(await ask(signingKeysAreReadable, root)).toEqual({ state: 'warning', says: 'There is no folder of keys.', remedy: 'Run: svc keys generate; or name it in SVC_KEYS.' }) // prettier-ignore
    await svc('keys', 'generate', '--dir', join(root, 'ring'))
    vi.stubEnv('SVC_KEYS', 'ring')
    expect(await ask(signingKeysAreReadable, root)).toEqual({ state: 'ok', says: `3 in ${join(root, 'ring')}` })
  })

  it('says of accounts of people which key encrypts them, or that none does', async () => {
    const root = folderOf()
    vi.stubEnv('SVC_KEYS', 'ring')
    await svc('keys', 'generate', '--dir', join(root, 'ring'))
    cpSync('examples/minimal/svc.yaml', join(root, 'svc.yaml'))
    expect(await ask(connectionsHaveKey, root)).toBeUndefined()
    const text = readFileSync(join(root, 'svc.yaml'), 'utf8')
    writeFileSync(join(root, 'svc.yaml'), text.replace(/^( +)side_effect:/mu, '$1x-upstream: { connection: mail }\n$1side_effect:'))
    const found = await ask(connectionsHaveKey, root)
    expect(found).toEqual({ state: 'ok', says: expect.stringMatching(/^Accounts of people at mail, encrypted by \S+$/u) })
    const [, kid] = /encrypted by (\S+)$/u.exec(found!.says)!
    const file = readdirSync(join(root, 'ring')).find((name) => name.includes(kid!.slice(0, 12)))
    rmSync(join(root, 'ring', file!))
    expect(await ask(connectionsHaveKey, root)).toEqual({ state: 'error', says: 'Accounts of people at mail have no key that encrypts them.', remedy: 'Run: svc keys generate --role connections' })
  }) // prettier-ignore

  it('says how many API keys are good: none that was revoked, none that has ended', async () => {
    vi.useFakeTimers({ now: Date.parse('2030-01-01T00:00:00Z'), toFake: ['Date'] })
    expect(await ask(apiKeysAreGood, folderOf())).toBeUndefined()
    const ended = [{ ...KEY, revoked: true }, { ...KEY, id: 'b', sha256: 'b'.repeat(64), expires_at: '2030-01-01T00:00:00Z' }] // prettier-ignore
    const good = { ...KEY, id: 'c', sha256: 'c'.repeat(64), expires_at: '2030-01-01T00:00:01Z' }
    const endless = { ...KEY, id: 'd', sha256: 'd'.repeat(64) }
    const none = folderOf({ 'api-keys.json': JSON.stringify(ended) })
    expect(await ask(apiKeysAreGood, none)).toEqual({ state: 'warning', says: 'None of 2 keys is good any more.', remedy: 'Run: svc apikeys add human:<you>' }) // prettier-ignore
    const some = folderOf({ 'others.json': JSON.stringify([...ended, good, endless]) })
    vi.stubEnv('SVC_API_KEYS', 'others.json')
    expect(await ask(apiKeysAreGood, some)).toEqual({ state: 'ok', says: '2 of 4 are good' })
  })

  it.each([
    [undefined, 'warning', '.gitignore does not name .env, which holds credentials.', 'Add the line: .env'],
    ['dist\n.env.example\nx/.env\n', 'warning', '.gitignore does not name .env, which holds credentials.', 'Add the line: .env'],
    ['dist\n/.env  \n', 'ok', 'its owner’s alone, and ignored by git', undefined],
    ['.env', 'ok', 'its owner’s alone, and ignored by git', undefined],
  ])('says of .env beside a .gitignore of %j that it is %s', async (ignored, state, says, remedy) => {
    expect(await ask(environmentIsPrivate, folderOf())).toBeUndefined()
    const root = folderOf({ '.env': 'A=1', ...(ignored !== undefined && { '.gitignore': ignored }) })
    expect(await ask(environmentIsPrivate, root)).toEqual({ state, says, ...(remedy !== undefined && { remedy }) })
    chmodSync(join(root, '.env'), 0o640)
    expect(await ask(environmentIsPrivate, root)).toEqual({ state: 'error', says: 'Others may read .env (mode 0640).', remedy: `Run: chmod 600 ${join(root, '.env')}` })
  }) // prettier-ignore

  it('says of the clock that it is before the package, or apart from that of the files', async () => {
    vi.useFakeTimers({ now: Date.parse('2001-01-01T00:00:00Z'), toFake: ['Date'] })
    expect(await ask(clockIsRight, '.')).toEqual({ state: 'error', says: 'It is 2001-01-01T00:00:00.000Z, which is before svc-kit was installed.', remedy: 'Set the clock of this machine, by NTP.' }) // prettier-ignore
    vi.useRealTimers()
    const real = Date.now()
    vi.useFakeTimers({ now: real + 3_600_000, toFake: ['Date'] })
    expect(await ask(clockIsRight, '.')).toEqual({ state: 'warning', says: 'The clock of the file system differs by 3600 s.', remedy: 'Set both by NTP.' }) // prettier-ignore
  })

  it('prints a line for each question, its remedy below it, and how many there are to fix', async () => {
    const out: string[] = []
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => (out.push(String(text)), true))
    const one = (of: Examination['of'], name = 'one'): Examination => ({ name, of })
    const wrong = one(() => ({ state: 'error', says: 'Two\nlines\u001b.', remedy: 'Mend it.' }), 'signing keys')
    const fine = [one(() => ({ state: 'ok', says: 'Fine' })), one(() => undefined), one(() => ({ state: 'warning', says: 'Odd', remedy: 'Look' }))] // prettier-ignore
    const refused = one(() => Promise.reject(Object.assign(new Error('Refused.'), { name: 'StartUpError' })))
    expect([await examine('.', fine), await examine('.', [wrong, refused])]).toEqual([0, 1])
    expect(out.join('').split('\n')).toEqual([
      'ok       one           Fine',
      'warning  one           Odd',
      '                       Look',
      'Nothing stands in the way.',
      'error    signing keys  Two',
      '                       lines\\u001b.',
      '                       Mend it.',
      'error    one           Refused.',
      '                       Fix that, and ask again.',
      '2 to fix.',
      '',
    ])
    await expect(examine('.', [one(() => Promise.reject(new TypeError('a bug')))])).rejects.toThrow('a bug')
  })

  it('asks more where it is asked for production, of the folder that is named', async () => {
    const root = folderOf()
    const [plain, production] = [await svc('doctor', root), await svc('doctor', root, '--production')]
    expect([plain.code, production.code]).toEqual([1, 1])
    expect([plain.out.includes('  TLS  '), production.out.includes('  TLS  '), production.out.includes('  manifest  ')]).toEqual([false, true, true]) // prettier-ignore
  })
})

const PG = 'postgresql://a:secret@'
describe('svc doctor --production', () => {
  it.each([
    ['development', { SVC_DEVELOPMENT: 'true' }, 'error', 'SVC_DEVELOPMENT is true: API keys open the console.', 'Unset it, and take it out of .env.'],
    ['TLS', { SVC_PUBLIC_URL: 'http://localhost:4100' }, 'ok', 'http://localhost:4100, by a proxy on this machine'],
    ['TLS', { SVC_PUBLIC_URL: 'https://a.example', HOST: '::1' }, 'ok', 'https://a.example, by a proxy on this machine'],
    ['TLS', { SVC_PUBLIC_URL: 'https://a.example', HOST: 'localhost' }, 'ok', 'https://a.example, by a proxy on this machine'],
    ['TLS', { SVC_PUBLIC_URL: 'https://a.example', HOST: '::' }, 'warning', 'The service listens on :: without TLS.', 'Let only the proxy reach its port: a network policy, a firewall. X-Forwarded headers are never believed.'],
    ['TLS', {}, 'error', 'SVC_PUBLIC_URL is not set.', 'Set the https address that people and agents use; a proxy in front ends TLS.'],
    ['database', { SVC_DATABASE: '' }, 'error', 'SVC_DATABASE is not set.', 'Name the database of the service.'],
    ['database', { SVC_DATABASE: 'none.db' }, 'ok', 'none.db'],
    ['database', { SVC_DATABASE: `${PG}localhost/shop` }, 'ok', 'postgresql://localhost/shop'],
    ['database', { SVC_DATABASE: `${PG}127.0.0.1/shop` }, 'ok', 'postgresql://127.0.0.1/shop'],
    ['database', { SVC_DATABASE: `${PG}[::1]/shop` }, 'ok', 'postgresql://[::1]/shop'],
    ['database', { SVC_DATABASE: 'postgresql:///shop?host=/run/pg' }, 'ok', 'postgresql:///shop'],
    ['database', { SVC_DATABASE: `${PG}db/shop?sslmode=require` }, 'ok', 'postgresql://db/shop'],
    ['database', { SVC_DATABASE: `${PG}db/shop?sslmode=verify-ca` }, 'ok', 'postgresql://db/shop'],
    ['database', { SVC_DATABASE: `${PG}db/shop?sslmode=verify-full` }, 'ok', 'postgresql://db/shop'],
    ['database', { SVC_DATABASE: `${PG}db/shop?sslmode=prefer` }, 'warning', 'postgresql://db/shop does not ask for TLS.', 'Add ?sslmode=verify-full, unless the network is yours alone.'],
    ['database', { SVC_DATABASE: `${PG}db/shop?sslmode=allow` }, 'warning', 'postgresql://db/shop does not ask for TLS.', 'Add ?sslmode=verify-full, unless the network is yours alone.'],
    ['database', { SVC_DATABASE: `${PG}db/shop?sslmode=disable` }, 'warning', 'postgresql://db/shop does not ask for TLS.', 'Add ?sslmode=verify-full, unless the network is yours alone.'],
    ['database', { SVC_DATABASE: `${PG}db/shop` }, 'warning', 'postgresql://db/shop does not ask for TLS.', 'Add ?sslmode=verify-full, unless the network is yours alone.'],
    ['state', { SVC_SIGNER: 'unix:/s' }, 'error', 'With a signer there is no folder of keys to remember checkpoints in.', 'Name one in SVC_STATE_DIR.'],
    ['state', { SVC_SIGNER: 'unix:/s', SVC_STATE_DIR: '.' }, 'ok', '<root>'],
    ['state', { SVC_KEYS: 'none' }, 'error', '<root>/none cannot be written, so a restored backup would not be noticed.', 'Name a folder in SVC_STATE_DIR that the service may write, outside of the database.'],
    ['keys', { SVC_KEYS: 'none' }, 'error', 'There is no folder <root>/none.', 'Name it in SVC_KEYS.'],
    ['keys', { SVC_KEYS: 'open' }, 'error', 'Others may read <root>/open (mode 0755).', 'Run: chmod 700 <root>/open'],
    ['witness', {}, 'warning', 'Nobody is known to cosign the checkpoints.', 'Run svc audit witness each hour, and name the file that it keeps in SVC_WITNESS_NOTE.'],
    ['witness', { SVC_WITNESS_NOTE: 'none' }, 'error', 'There is no cosigned note <root>/none.', 'Run svc audit witness each hour, and name the file that it keeps in SVC_WITNESS_NOTE.'],
    ['retention', {}, undefined, undefined],
  ] as const)('%s with %j is %s: %s', async (name, env, state, says, remedy?: string) => {
    const root = folderOf()
    mkdirSync(join(root, 'open'))
    chmodSync(join(root, 'open'), 0o755)
    for (const each of ['SVC_SIGNER', 'SVC_STATE_DIR', 'SVC_KEYS', 'HOST', 'SVC_PUBLIC_URL']) vi.stubEnv(each, '')
    for (const [each, value] of Object.entries(env)) vi.stubEnv(each, value)
    const whole = (text: string) => text.replaceAll('<root>', root)
    expect(await ask(PRODUCTION.find((each) => each.name === name)!, root)).toEqual(
      state === undefined ? undefined : { state, says: whole(says), ...(remedy !== undefined && { remedy: whole(remedy) }) },
    )
  }) // prettier-ignore

  it('names a write-ahead log that a reader holds', async () => {
    const root = folderOf({ 'shop.db': '', 'shop.db-wal': '' })
    vi.stubEnv('SVC_DATABASE', join(root, 'shop.db'))
    const database = PRODUCTION.find((each) => each.name === 'database')!
    truncateSync(join(root, 'shop.db-wal'), 64 * 1024 * 1024)
    expect(await ask(database, root)).toMatchObject({ state: 'ok' })
    truncateSync(join(root, 'shop.db-wal'), 80 * 1024 * 1024)
    expect(await ask(database, root)).toEqual({
      state: 'warning',
      says: `The write-ahead log ${root}/shop.db-wal has 80 MiB: another process reads the database and does not end.`,
      remedy: `Find it, and end it: lsof ${root}/shop.db`,
    })
  })

  it('says of roles which keys never end and which role nobody has, of those that were not revoked', async () => {
    const roles = PRODUCTION.find(({ name }) => name === 'roles')!
    const of = (...keys: readonly object[]) => ask(roles, folderOf({ 'api-keys.json': JSON.stringify(keys) }))
    const key = (id: string, more: object = {}) => ({ ...KEY, id, sha256: id.repeat(64), expires_at: '2040-01-01T00:00:00Z', ...more }) // prettier-ignore
    const { expires_at: _, ...endless } = key('a')
    expect(await of(endless, { ...endless, id: 'b', sha256: 'b'.repeat(64), revoked: true })).toEqual({ state: 'warning', says: 'These keys never end: a.', remedy: 'Run: svc apikeys add with --expires; end the old ones.' }) // prettier-ignore
    expect(await of(key('a', { roles: ['operator'] }))).toEqual({ state: 'warning', says: 'No key has the role auditor, metrics.', remedy: 'In an emergency somebody must be able to end tokens: give the roles now.' }) // prettier-ignore
    expect(await of(key('a', { roles: ['auditor'] }), key('b', { roles: ['metrics'] }))).toMatchObject({ says: 'No key has the role operator.' }) // prettier-ignore
    expect(await of(key('a', { roles: ['operator', 'auditor'] }), key('b', { roles: ['metrics'] }))).toEqual({ state: 'ok', says: 'operator, auditor and metrics are given' }) // prettier-ignore
  })

  it('names the capabilities whose entries are kept for ever', async () => {
    const root = folderOf()
    cpSync('examples/travel/svc.yaml', join(root, 'svc.yaml'))
    const retention = PRODUCTION.find(({ name }) => name === 'retention')!
    expect(await ask(retention, root)).toEqual({
      state: 'warning',
      says: 'Entries are kept for ever of get_destination, plan_trip, get_booking.',
      remedy: 'Say observability.retention where the law or you want less.',
    })
  })
})
