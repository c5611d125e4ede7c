import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'svc-dist-'))
const project = join(folder, 'travel')
const BIN = resolve('bin/svc.cjs')

const svc = (args: readonly string[], env: object = {}) =>
  spawnSync(process.execPath, [BIN, ...args], { cwd: project, encoding: 'utf8', env: { ...process.env, ...env } })
const textOf = (args: readonly string[], env: object = {}): string => {
  const { stdout, stderr } = svc(args, env)
  return stdout + stderr
}
const manifest = (dist = 'dist') => JSON.parse(readFileSync(join(project, dist, 'manifest.json'), 'utf8'))
let kid = ''

beforeAll(() => {
  spawnSync(process.execPath, [BIN, 'init', 'travel', '--yes'], { cwd: folder })
  mkdirSync(join(project, 'node_modules'), { recursive: true })
  symlinkSync(resolve('.'), join(project, 'node_modules/svc-kit'))
  // Where no compiler of TypeScript is, there is nothing that a build could check types of.
  rmSync(join(project, 'tsconfig.json'))
  svc(['build'])
  kid = textOf(['keys', 'list', '--role', 'manifest', '--kids']).trim()
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))

const filesOf = (dist: string): readonly string[] =>
  readdirSync(join(project, dist), { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(project, dist).length + 1))

describe('svc doctor --dist', () => {
  it('finds a build as it was signed, by the key that is known from elsewhere', () => {
    expect(svc(['doctor', '--dist', 'dist', '--manifest-kid', kid])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('every file is as it was signed, and none was added'),
    })
    expect(svc(['doctor', '--dist', 'dist'])).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('Nothing says whose key signed the manifest.'),
    })
    const other = svc(['doctor', '--dist', 'dist', '--manifest-kid', 'A'.repeat(43)])
    expect(other).toMatchObject({ status: 1, stdout: expect.stringContaining('is not among the given keys') })
  })

  it('finds each file that was changed, and one that was added', { timeout: 300_000 }, () => {
    const names = filesOf('dist').filter((name) => !/^(?:client|python)\/.*\/|reference/u.test(name))
    expect(names).toContain('server.mjs')
    for (const name of [...names, 'stray.js', '.svc-building', '.svc-building.next']) {
      rmSync(join(project, 'other'), { recursive: true, force: true })
      cpSync(join(project, 'dist'), join(project, 'other'), { recursive: true })
      writeFileSync(join(project, 'other', name), 'x', { flag: 'a' })
      const { status, stdout } = svc(['doctor', '--dist', 'other', '--manifest-kid', kid])
      expect({ name, status, stdout }).toMatchObject({ name, status: 1, stdout: expect.stringContaining('error') })
    }
  })
})

describe('SOURCE_DATE_EPOCH', () => {
  const dated = { SOURCE_DATE_EPOCH: String(Math.floor(Date.now() / 1000) - 3600) }

  it('makes every file but manifest.jws the same in every build', { timeout: 120_000 }, () => {
    const builds = [1, 2].map(() => {
      rmSync(join(project, 'dist'), { recursive: true })
      expect(svc(['build'], dated).status).toBe(0)
      expect(textOf(['build'], dated)).toContain('nothing has changed')
      return new Map(filesOf('dist').map((name) => [name, readFileSync(join(project, 'dist', name), 'latin1')]))
    })
    expect(filesOf('dist').filter((name) => builds[0]!.get(name) !== builds[1]!.get(name))).toEqual(['manifest.jws'])
  })

  it('dates what is signed; a manifest that would be expired and a date that is none are refused', () => {
    expect(svc(['sign'], { SOURCE_DATE_EPOCH: '1700000000' })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('The manifest would be expired: SOURCE_DATE_EPOCH is 2023-11-14T22:13:20Z'),
    })
    expect(svc(['sign', '--expires', 'P100Y'], { SOURCE_DATE_EPOCH: '1700000000' }).status).toBe(0)
    expect(manifest()['manifest_metadata']).toMatchObject({ issued_at: '2023-11-14T22:13:20Z' })
    expect(textOf(['sign'], { SOURCE_DATE_EPOCH: '1e9' })).toContain('must be whole seconds since 1970')
  })
})

describe('svc sign --jwks', () => {
  it('lists the keys of the service and the one that signs, and no others of this folder', () => {
    svc(['keys', 'generate', '--dir', 'production'])
    writeFileSync(join(project, 'production.jwks.json'), textOf(['keys', 'list', '--jwks', '--dir', 'production']))
    const signed = svc(['sign', '--jwks', 'production.jwks.json'])
    expect(signed).toMatchObject({ status: 0, stderr: expect.stringContaining(`does not have the key ${kid}`) })
    const roles = Object.values<{ readonly role: string }>(manifest()['service_identity']['x-keys']).map(({ role }) => role)
    expect(roles.toSorted()).toEqual(['audit', 'manifest', 'manifest', 'tokens'])
    expect(JSON.parse(readFileSync(join(project, 'dist/jwks.json'), 'utf8')).keys).toHaveLength(4)
  }) // prettier-ignore

  it.each([
    ['none.json', undefined, '--jwks none.json cannot be read.'],
    ['plain.json', (keys: readonly object[]) => keys.map((key) => ({ ...key, svc_role: undefined })), 'svc keys list --jwks'],
    ['secret.json', (keys: readonly object[]) => [...keys, JSON.parse(textOf(['keys', 'generate', '--print', '--role', 'audit']))], 'has the private half of'],
  ])('refuses %s', (file, change, message) => {
    const { keys } = JSON.parse(textOf(['keys', 'list', '--jwks', '--dir', 'production']))
    if (change !== undefined) writeFileSync(join(project, file), JSON.stringify({ keys: change(keys) }))
    expect(svc(['sign', '--jwks', file])).toMatchObject({ status: 2, stderr: expect.stringContaining(message) })
  }) // prettier-ignore
})

it('svc keys rotate says that the manifest must be signed again first', () => {
  const said = textOf(['keys', 'rotate', '--role', 'tokens', '--dir', 'production'])
  expect(said).toMatch(/Where a signed manifest is served \(SVC_MANIFEST\), sign it again first, before \d{4}-/u)
})

it.each(['manifest.json', 'manifest.jws', 'digests.json'])('svc build repairs %s that was changed', { timeout: 60_000 }, (name) => {
  svc(['build'])
  expect(textOf(['build'])).toBe('nothing has changed since the last build\n')
  const path = join(project, 'dist', name)
  writeFileSync(path, readFileSync(path, 'utf8').replace(/[0-9a-f]{3}|\w{3}/u, 'bad'))
  expect(textOf(['build'])).toContain('built in')
  expect(svc(['doctor', '--dist', 'dist', '--manifest-kid', kid]).status).toBe(0)
}) // prettier-ignore

it('svc build leaves what svc sign signed for a week', { timeout: 60_000 }, () => {
  svc(['build'])
  svc(['sign', '--expires', 'P7D'])
  const signed = readFileSync(join(project, 'dist/manifest.jws'), 'utf8')
  expect(textOf(['build'])).toBe('nothing has changed since the last build\n')
  expect(textOf(['build', '--force'])).toContain('dist/: ')
  expect(readFileSync(join(project, 'dist/manifest.jws'), 'utf8')).toBe(signed)
}) // prettier-ignore

it('svc build without keys says that nothing is signed', { timeout: 60_000 }, () => {
  rmSync(join(project, 'dist'), { recursive: true })
  expect(textOf(['build'], { SVC_KEYS: 'absent' })).toContain('not signed: no keys\n')
  expect(textOf(['build'], { SVC_KEYS: 'absent' })).toBe(
    'nothing has changed since the last build\nnot signed: no keys\n',
  )
})
