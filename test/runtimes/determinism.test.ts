import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { NODES } from './programs.js'

const parent = mkdtempSync(join(tmpdir(), 'svc-same-'))
afterAll(() => rmSync(parent, { recursive: true, force: true, maxRetries: 20 }))

/** What may differ: the manifest says when it was issued, and ES256 signs with a random number each time. */
const SIGNED = ['dist/manifest.json', 'dist/manifest.jws', 'dist/jwks.json']

interface Surroundings {
  readonly node: string
  readonly env?: { readonly [variable: string]: string }
  /** The current folder; the service's when absent. */
  readonly from?: string
}

let built = 0

/** Every byte that a first build writes, in a folder of its own. */
function bytesOf({ node, env = {}, from }: Surroundings): { readonly [path: string]: string } {
  const folder = join(parent, `service number ${built++}`)
  cpSync('examples/travel', folder, {
    recursive: true,
    filter: (path) => !/generated|svc\.lock\.json|dist|node_modules/u.test(path),
  })
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(resolve('.'), join(folder, 'node_modules/svc-kit'), 'junction')
  const where = from === undefined ? { cwd: folder, args: [] } : { cwd: from, args: [folder] }
  const { status, stderr } = spawnSync(node, [resolve('bin/svc.cjs'), 'build', ...where.args], {
    cwd: where.cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, expect.stringContaining('built in')])
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /^(?:generated|dist|svc\.lock)/u.test(path) && statSync(join(folder, path)).isFile(),
  )
  const kept = paths.filter((path) => !SIGNED.includes(path)).sort()
  return Object.fromEntries(kept.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}

const TURKISH = { LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8', LANGUAGE: 'tr' }

describe('a first build gives the same bytes', () => {
  const expected = bytesOf({ node: process.execPath, env: { LC_ALL: 'C', TZ: 'UTC' } })

  it.each<readonly [string, Surroundings]>([
    ...Object.entries(NODES).map(([name, node]) => [name, { node }] as const),
    ['a Turkish locale', { node: process.execPath, env: TURKISH }],
    ['a Swedish locale', { node: process.execPath, env: { LC_ALL: 'sv_SE.UTF-8' } }],
    ['a time zone a day ahead', { node: process.execPath, env: { TZ: 'Pacific/Kiritimati' } }],
    ['a time zone with half an hour', { node: process.execPath, env: { TZ: 'America/St_Johns' } }],
    ['another current folder', { node: process.execPath, from: tmpdir() }],
    ['a terminal without colours', { node: process.execPath, env: { NO_COLOR: '1', TERM: 'dumb' } }],
  ])('under %s', (_, surroundings) => {
    expect(bytesOf(surroundings)).toEqual(expected)
  })
})
