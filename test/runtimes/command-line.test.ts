import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { commandsOf, installedAt, svcOf } from '../cli/start.js'
import { NODES } from './programs.js'

const temporary = mkdtempSync(join(tmpdir(), 'svc-nodes-'))
afterAll(() => rmSync(temporary, { recursive: true, force: true, maxRetries: 20 }))

const GOOD = readFileSync('examples/minimal/svc.yaml', 'utf8')

/** A manifest above 40 kB: on Node 22 and 24 the second run of one printed an error of V8. */
const large = (): string => `${GOOD}${'# A line that says nothing, so that the file is large.\n'.repeat(1000)}`

let copies = 0
const home = (): string => installedAt(join(temporary, `install-${copies++}`))
const VALID = { status: 0, stdout: '0 problems in 1 file.\n', stderr: '' }

describe.each(Object.entries(NODES))('the command line in %s', (name, node) => {
  const hasCache = name !== 'Node 20'
  const file = join(temporary, 'large.yaml')
  writeFileSync(file, large())

  it('checks a large manifest twice without a word of Node', () => {
    const folder = home()
    for (const _ of ['first', 'second', 'third']) expect(svcOf(folder, ['validate', file], { node })).toEqual(VALID)
    expect(existsSync(join(folder, 'dist/cache'))).toBe(hasCache)
  })

  it('shows the help of every command', () => {
    const folder = home()
    for (const command of commandsOf(folder)) {
      const { status, stderr } = svcOf(folder, [...command, '--help'], { node })
      expect({ command, status, stderr }).toEqual({ command, status: 0, stderr: '' })
    }
  })

  it('scaffolds, builds, signs and verifies', () => {
    const folder = home()
    const shop = join(temporary, `shop-${copies}`)
    const svc = (...args: readonly string[]) => svcOf(folder, args, { node, cwd: existsSync(shop) ? shop : temporary })
    expect(svc('init', shop, '--yes').status).toBe(0)
    for (const args of [['validate'], ['build', '--no-bundle'], ['sign']])
      expect({ args, ...svc(...args) }).toMatchObject({ args, status: 0 })
    const kid = svc('keys', 'list', '--role', 'manifest', '--kids').stdout.trim()
    expect(svc('verify', 'dist/manifest.json', '--jwks', 'dist/jwks.json', '--manifest-kid', kid)).toMatchObject({
      status: 0,
      stderr: '',
    })
  })
})

/** Node 20 keeps no compiled code, so there is nothing to keep in order. */
const KEEPING = Object.entries(NODES).filter(([name]) => name !== 'Node 20')

describe.each(KEEPING)('compiled code of %s', (_, node) => {
  const file = join(temporary, 'large.yaml')

  it('is not made in CI, nor where Node is told so', () => {
    const folder = home()
    for (const env of [{ CI: 'true' }, { NODE_DISABLE_COMPILE_CACHE: '1' }])
      expect(svcOf(folder, ['--version'], { node, env }).status).toBe(0)
    expect(existsSync(join(folder, 'dist/cache'))).toBe(false)
  })

  it('is not made in the package of another, nor where nobody may write', () => {
    const folder = home()
    if (process.getuid?.() === 0) chownSync(join(folder, 'bin'), 12_345, 12_345)
    else chmodSync(join(folder, 'dist'), 0o555)
    expect(svcOf(folder, ['validate', file], { node })).toEqual(VALID)
    expect(existsSync(join(folder, 'dist/cache'))).toBe(false)
  })

  it('may be written by its owner alone', () => {
    const folder = home()
    expect(svcOf(folder, ['validate', resolve('examples/minimal/svc.yaml')], { node })).toEqual(VALID)
    expect(statSync(join(folder, 'dist/cache')).mode & 0o022).toBe(0)
  })
})
