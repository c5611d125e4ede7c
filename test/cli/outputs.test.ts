import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SchemaName } from '../../src/cli/schema/table.js'
import { canonicalBytes } from '../../src/crypto/json/canonical.js'
import { signDetached } from '../../src/crypto/jws/jws.js'
import { signerFor, verificationKeys } from '../../src/crypto/keys/key-ring.js'
import { checkpointDetail } from '../../src/runtime/checkpoints/detail.js'
import { makeCheckpoint } from '../../src/runtime/checkpoints/make.js'
import { readKeyRing } from '../../src/runtime/keys/key-directory.js'
import { serve } from '../../src/runtime/node.js'
import { startFixture } from '../runtime/fixture/service.js'
import { schemaTrouble } from '../schema-trouble.js'
import { draftOf, erase, seal, startTrail } from '../trust/trail.js'
import { svc as command } from './command.js'

/** What commands print as data, run as users run them, against the schemas that `svc schema` prints. */

let folder = ''
/** Of the key that signs the manifest. */
let kid: readonly string[] = []
const path = (name: string) => join(folder, name)
const read = (name: string) => readFileSync(path(name), 'utf8')
const write = (name: string, value: object | string) =>
  writeFileSync(path(name), typeof value === 'string' ? value : JSON.stringify(value))

const svc = async (...args: readonly string[]) => {
  const { status, stdout, stderr } = await command(args, { cwd: folder })
  return { code: status, out: stdout, err: stderr }
}

interface Told {
  readonly exit: number
  readonly [member: string]: unknown
}

/** Runs a command; its output is as the schema says, and is given back as data with the exit code. */
async function data(schema: SchemaName, ...args: readonly string[]): Promise<Told> {
  const { code, out, err } = await svc(...args)
  expect(out, err).not.toBe('')
  const value = JSON.parse(out) as object
  expect(schemaTrouble(await printedSchema(schema), value, { strict: true, allErrors: true })).toEqual([])
  return { exit: code, ...value }
}

const schemas = new Map<SchemaName, Promise<object>>()
async function printedSchema(name: SchemaName): Promise<object> {
  const known = schemas.get(name) ?? svc('schema', name).then(({ out }) => JSON.parse(out) as object)
  schemas.set(name, known)
  return known
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-outputs-'))
  cpSync('examples/minimal/svc.yaml', path('svc.yaml'))
  await svc('keys', 'generate')
  await svc('sign')
  kid = ['--manifest-kid', (await svc('keys', 'list', '--role', 'manifest', '--kids')).out.trim()]
  write('jwks.json', (await svc('keys', 'list', '--jwks')).out)
  const ring = await readKeyRing(path('keys'))
  const grant = { grant_id: 'grt_1', capability: 'book', grant_type: 'one_time', max_uses: 1 }
  write('grant.json', { ...grant, signature: await signDetached(signerFor(ring, 'tokens'), canonicalBytes(grant)) })
  const { storage, dependencies, append } = await startTrail(path('trail.db'))
  await append(1, 5)
  const signer = () => signerFor(ring, 'audit')
  const keys = () => verificationKeys(ring, 'audit', Date.now())
  const { made } = await makeCheckpoint({ ...dependencies, signer, keys })
  write('checkpoint.json', await checkpointDetail(storage, made!.checkpoint_id, { leafIndex: 4 }))
  write('entry.json', seal(draftOf(5), 5).entry)
  await erase(storage, 1)
  await makeCheckpoint({ ...dependencies, signer, keys })
  await storage.close()
  await svc('audit', 'export', '--database', 'trail.db', '--service', 'minimal', '--out', 'trail.ndjson')
  write('changed-manifest.json', read('dist/manifest.json').replace('"read"', '"write"'))
  write('changed-grant.json', read('grant.json').replace('book', 'close'))
  write('changed-checkpoint.json', read('checkpoint.json').replace('"entry_count":5', '"entry_count":4'))
  write('changed-entry.json', read('entry.json').replace('"success":true', '"success":false'))
  write('changed-trail.ndjson', read('trail.ndjson').replace('inv-000000000004', 'inv-000000000009'))
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('svc validate --json', () => {
  it('tells findings, and that there are none', async () => {
    write('bad.yaml', read('svc.yaml').replace('type: read', 'type: raed'))
    expect(await data('diagnostics', 'validate', 'bad.yaml', '--json')).toMatchObject({ exit: 1, version: 2 })
    expect(await data('diagnostics', 'validate', 'nowhere.yaml', '--json')).toMatchObject({ exit: 2 })
    expect(await data('diagnostics', 'validate', '--json')).toMatchObject({ exit: 0, diagnostics: [] })
    write('loose.yaml', read('svc.yaml').replace('{ type: read }', 'read'))
    expect(await data('diagnostics', 'validate', 'loose.yaml', '--fix-dry-run', '--json')).toMatchObject({ exit: 1 })
    write('broken.yaml', 'a: [')
    expect(await data('diagnostics', 'validate', 'broken.yaml', '--json')).toMatchObject({ exit: 1 })
  })
})

describe('svc diff --json', () => {
  it('tells changes, and that there are none', async () => {
    write('weaker.yaml', read('svc.yaml').replace('minimum_scope: [minimal.read]', 'minimum_scope: []'))
    expect(await data('changes', 'diff', 'svc.yaml', 'weaker.yaml', '--json')).toMatchObject({
      exit: 1,
      version: 1,
      summary: { breaking: 0, weakened: 1, unbumped: 1, compatible: 0, accepted: 0 },
    })
    expect(await data('changes', 'diff', 'svc.yaml', 'svc.yaml', '--json')).toMatchObject({ exit: 0, changes: [] })
  })
})

describe('svc rules --json, svc explain --json', () => {
  it('tell rules', async () => {
    expect(await data('rules', 'rules', '--json')).toMatchObject({ exit: 0, version: 2 })
    for (const code of ['SVC2403', 'SVC0001', 'SVC6103'])
      expect(await data('rule', 'explain', code, '--json')).toMatchObject({ exit: 0, version: 2 })
  })
})

describe('svc build --json', () => {
  const build = (...more: readonly string[]) => data('build', 'build', 'service', '--json', ...more)

  it('tells which files were written, and that none need be', async () => {
    cpSync('examples/minimal', path('service'), { recursive: true })
    await svc('keys', 'generate', '--dir', 'service/keys')
    expect(await build()).toMatchObject({
      exit: 0,
      version: 1,
      check: false,
      files: expect.arrayContaining(
        ['dist/server.mjs', 'dist/manifest.json', 'dist/manifest.jws'].map((file) => ({
          path: file,
          change: 'written',
          edited: false,
        })),
      ),
    })
    expect(await build()).toMatchObject({ exit: 0, files: [] })
    expect(await build('--check')).toMatchObject({ exit: 0, check: true, files: [] })
  })

  it('tells with --check of files that no build wrote', async () => {
    write('service/generated/old.ts', '')
    const stray = { path: 'generated/old.ts', change: 'stray', edited: false }
    expect(await build('--check')).toEqual({ exit: 1, version: 1, check: true, files: [stray] })
    const { code, out, err } = await svc('build', 'service', '--check')
    expect([code, out, err]).toEqual([
      1,
      'generated/old.ts is not of svc build. Move it to src/, or delete it.\n',
      expect.stringContaining('generated/ holds files that svc build did not write.'),
    ])
    rmSync(path('service/generated/old.ts'))
    expect(await build('--check')).toMatchObject({ exit: 0, files: [] })
  })

  it('tells with --check what is out of step, and what was changed by hand', async () => {
    write('service/generated/types.ts', '// mine')
    const types = { path: 'generated/types.ts', change: 'written', edited: true }
    expect(await build('--check')).toEqual({ exit: 1, version: 1, check: true, files: [types] })
    expect(await svc('build', 'service', '--json')).toMatchObject({ code: 1, out: '' })
    expect(await build('--force')).toMatchObject({ exit: 0, files: [types] })
    write('service/svc.yaml', read('service/svc.yaml').replace('type: read', 'type: raed'))
    expect(await svc('build', 'service', '--json')).toMatchObject({ code: 1, out: '' })
  })
})

const trusted = ['--jwks', 'jwks.json', '--manifest', 'dist/manifest.json', '--json'] as const
const MANIFEST = ['manifest', 'changed-manifest.json', '--signature', 'dist/manifest.jws', '--source', 'svc.yaml']
const UNDER = ['--checkpoint', 'checkpoint.json']

describe('svc verify --json', () => {
  it.each([
    ['manifest', ['dist/manifest.json']],
    ['grant', ['grant.json']],
    ['checkpoint', ['checkpoint.json']],
    ['entry', ['entry.json', ...UNDER]],
    ['export', ['trail.ndjson']],
  ] as const)('tells that a %s is verified', async (kind, args) => {
    expect(await data('verdict', 'verify', ...args, ...trusted, ...kid)).toMatchObject({
      exit: 0,
      version: 1,
      kind,
      verified: true,
      findings: [],
    })
  })

  it.each([
    ['manifest', MANIFEST],
    ['grant', ['changed-grant.json']],
    ['checkpoint', ['changed-checkpoint.json']],
    ['entry', ['changed-entry.json', ...UNDER]],
    ['export', ['changed-trail.ndjson']],
    ['grant', ['grant', 'svc.yaml']],
    ['manifest', ['manifest', 'jwks.json', '--signature', 'dist/manifest.jws']],
    ['checkpoint', ['checkpoint', 'svc.yaml']],
    ['entry', ['entry', 'svc.yaml', ...UNDER]],
    ['export', ['export', 'svc.yaml']],
  ] as const)('tells what is wrong with a %s: %j', async (kind, args) => {
    expect(await data('verdict', 'verify', ...args, ...trusted, ...kid)).toMatchObject({
      exit: 1,
      version: 1,
      kind,
      verified: false,
      findings: expect.arrayContaining([expect.any(String)]),
    })
  })

  it('gives its verdict where the source that it would compare with has errors', async () => {
    const args = ['--signature', 'dist/manifest.jws', '--source', 'unsound.yaml', ...trusted]
    write('unsound.yaml', read('svc.yaml').replace('type: read', 'type: raed'))
    expect(await data('verdict', 'verify', 'changed-manifest.json', ...args)).toMatchObject({
      exit: 1,
      findings: expect.arrayContaining(['It was not compared with unsound.yaml, which has errors.']),
    })
  })

  it('prints nothing that steers a terminal, and keeps the value', async () => {
    const hostile = 'a\u001b[31m\u009b31m\u202eb\u{e0041}'
    write('hostile.json', { checkpoint_id: hostile })
    const { out } = await svc('verify', 'checkpoint', 'hostile.json', ...trusted, ...kid)
    expect(out).toContain('"checkpoint": "a\\u001b[31m\\u009b31m\\u202eb\\udb40\\udc41"')
    expect(JSON.parse(out)).toMatchObject({ facts: { checkpoint: hostile } })
    write('hostile.yaml', read('svc.yaml').replace('type: read', 'type: "\\u009b31m\\u202e"'))
    expect(await data('diagnostics', 'validate', 'hostile.yaml', '--json')).toMatchObject({ exit: 1 })
    for (const format of ['json', 'sarif', 'gitlab'])
      expect((await svc('validate', 'hostile.yaml', '--format', format)).out).not.toMatch(/[\u009b\u202e]/u)
  })

  it('tells no fact of another type than the schema says', async () => {
    write('odd.json', { merkle_root: 1, checkpoint_id: {}, sequence: '1', entry_count: 1.5, created_at: 'once' })
    expect(await data('verdict', 'verify', 'checkpoint', 'odd.json', ...trusted, ...kid)).toMatchObject({
      exit: 1,
      facts: { made: 'once' },
    })
  })
})

describe('svc audit verify --json', () => {
  it('tells counts as numbers, and which entry is the first bad one', async () => {
    expect(await data('verdict', 'audit', 'verify', 'trail.ndjson', ...trusted, ...kid)).toMatchObject({
      exit: 0,
      facts: { service: 'minimal', entries: 6, erased: 1, erasures: 1, checkpoints: 2 },
    })
    expect(await data('verdict', 'audit', 'verify', 'changed-trail.ndjson', ...trusted, ...kid)).toMatchObject({
      exit: 1,
      facts: { entries: 6, first_bad: 4 },
    })
  })
})

describe('svc keys', () => {
  it('tells the keys, in every state', async () => {
    await svc('keys', 'generate', '--dir', 'ring')
    await svc('keys', 'rotate', '--role', 'tokens', '--lead', 'PT0S', '--dir', 'ring')
    await svc('keys', 'rotate', '--role', 'manifest', '--dir', 'ring')
    await svc('keys', 'generate', '--role', 'audit', '--dir', 'ring')
    const listed = await data('keys', 'keys', 'list', '--dir', 'ring', '--json')
    const states = (listed['keys'] as readonly { readonly state: string }[]).map(({ state }) => state)
    expect([listed.exit, states]).toEqual([0, ['next', 'active', 'active', 'retired', 'next', 'active']])
    expect(await data('keys', 'keys', 'list', '--role', 'audit', '--dir', '.', '--json')).toMatchObject({ keys: [] })
    expect(await data('jwks', 'keys', 'list', '--jwks')).toMatchObject({ exit: 0 })
    expect(await data('signing-key', 'keys', 'generate', '--print', '--role', 'audit')).toMatchObject({ exit: 0 })
  })
})

describe('svc migrate --json', () => {
  it('tells what is pending, and what was applied', async () => {
    const migrate = (schema: SchemaName, verb: string, ...more: readonly string[]) =>
      data(schema, 'migrate', verb, '--database', 'new.db', '--json', ...more)
    expect(await migrate('migration-run', 'up', '--dry-run')).toMatchObject({ exit: 0, dry_run: true })
    write('new.db', '')
    expect(await migrate('migration-status', 'status')).toMatchObject({ exit: 1, version: 1, applied: [] })
    expect(await migrate('migration-run', 'up')).toMatchObject({ exit: 0, version: 1, dry_run: false })
    expect(await migrate('migration-status', 'status')).toMatchObject({ exit: 0, pending: [] })
    expect(await migrate('migration-run', 'up')).toMatchObject({ exit: 0, applied: [] })
    expect(await migrate('database-clock', 'clock')).toMatchObject({ exit: 0, version: 1 })
    expect(await migrate('database-clock', 'clock', '--confirm')).toHaveProperty('confirmed_at')
  })
})

describe('svc conformance --json', () => {
  it('tells what holds of a service', async () => {
    const { service } = await startFixture({
      clock: Date.now,
      manifest: { trust: { level: 'anchored', anchoring: { cadence: 'PT1S' } } },
      limits: { badCredentialsPerMinute: 1000 },
    })
    const running = await serve(service, { port: 0 })
    const told = await data('conformance', 'conformance', running.url, '--key', 'ana-key', '--json')
    await running.close()
    expect(told).toMatchObject({ exit: expect.any(Number), version: 1, url: running.url })
  })

  it('tells what does not hold of what is no service, which cannot steer the terminal', async () => {
    const answerTo = (path = ''): string => (/manifest|well-known/u.test(path) ? '{}' : '\u001b[2J\u009b31m')
    const server = createServer(({ url: asked }, response) => response.end(answerTo(asked)))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const told = await data('conformance', 'conformance', url, '--key', 'k', '--json')
    const { out } = await svc('conformance', url, '--key', 'k')
    server.close()
    expect(out).toContain('there is no failure body: 200 \\u001b[2J\\u009b31m')
    expect(out).not.toMatch(/[\u001b\u009b]/u)
    expect(told).toMatchObject({ exit: 1, url })
    expect(told['failed']).not.toBe(0)
  })
})

it.each([
  ['validate', '--json', '--format', 'sarif'],
  ['explain', 'SVC9999', '--json'],
  ['build', 'nowhere', '--json'],
  ['build', '--json', '--watch'],
  ['verify', 'nowhere.json', ...trusted],
  ['audit', 'verify', 'nowhere.ndjson', ...trusted],
  ['keys', 'list', '--dir', 'nowhere/keys', '--json', '--jwks'],
  ['keys', 'generate', '--print'],
  ['migrate', 'status', '--database', 'nowhere.db', '--json'],
  ['migrate', 'up', '--database', 'svc.yaml', '--json'],
  ['conformance', 'http://127.0.0.1:1', '--key', 'k', '--json'],
])('prints nothing but an error where a command cannot do its work: %j', async (...args) => {
  expect(await svc(...args)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/\S/u) })
})
