import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { commandsOf, svcOf } from './start.js'

const folder = mkdtempSync(join(tmpdir(), 'svc-start-'))
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))

const HOME = resolve('.')
const GOOD = resolve('examples/minimal/svc.yaml')

it('bin/svc.cjs is a start, and no program', () => {
  expect(readFileSync('bin/svc.cjs', 'utf8').split('\n').length).toBeLessThanOrEqual(18)
})

describe('every command is reached in one way', () => {
  it.each([
    [['validate', GOOD], 0, '0 problems in 1 file.\n'],
    [['validate', GOOD, '--format', 'text'], 0, '0 problems in 1 file.\n'],
    [['validate', '--', GOOD], 0, '0 problems in 1 file.\n'],
    [['validate', '--nonsense'], 2, ''],
    [['validate', '--format'], 2, ''],
    [['build', 'absent'], 2, ''],
    [['build', 'one', 'two'], 2, ''],
  ])('%j exits %i', (args, status, stdout) => {
    expect(svcOf(HOME, args, { cwd: folder })).toMatchObject({ status, stdout })
  })
})

it('says why a manifest cannot be looked at, and not that it is missing', () => {
  symlinkSync('loop.yaml', join(folder, 'loop.yaml'))
  expect(svcOf(HOME, ['validate', 'loop.yaml'], { cwd: folder })).toEqual({
    status: 2,
    stdout: '',
    stderr:
      'svc: Cannot look at loop.yaml: the path goes through a loop of links (ELOOP). Fix the links, or name another path.\n',
  })
})

it('adds, lists, expires and revokes an API key', () => {
  const svc = (...args: readonly string[]) => svcOf(HOME, args, { cwd: folder })
  expect(svc('apikeys', 'add', 'human:ana@example.com', '--no-scopes')).toMatchObject({ status: 0 })
  expect(svc('apikeys', 'list')).toMatchObject({ status: 0, stdout: expect.stringContaining('human:ana@example.com') })
  expect(svc('apikeys', 'change', 'human:ana@example.com-1', '--scope', 'a.read')).toMatchObject({ status: 0 })
  expect(svc('apikeys', 'expire', 'human:ana@example.com-1', '2099-01-01T00:00:00Z')).toMatchObject({ status: 0 })
  expect(svc('apikeys', 'revoke', 'human:ana@example.com-1')).toMatchObject({ status: 0 })
  expect(svc('apikeys', 'revoke', 'human:eve@example.com-1')).toMatchObject({ status: 2, stdout: '' })
})

/** Each command is a process; a busy machine starts few of them at a time. */
const HELP_MS = 300_000

it(
  'every command has help',
  () => {
    const commands = commandsOf(HOME)
    expect(commands.length).toBeGreaterThan(24)
    for (const command of commands) {
      const { status, stdout, stderr } = svcOf(HOME, [...command, '--help'])
      expect({ status, stderr, usage: stdout.split('\n')[0] }).toEqual({
        status: 0,
        stderr: '',
        usage: expect.stringContaining(`Usage: svc ${command.join(' ')}`),
      })
    }
  },
  HELP_MS,
)

it('a command that is not asked for the compiler does not load it', () => {
  const trace = join(folder, 'trace.cjs')
  writeFileSync(
    trace,
    `const { basename } = require('node:path')
process.on('exit', () => process.stderr.write(Object.keys(require.cache).map((file) => basename(file)).join(' ')))`,
  )
  const loaded = (...args: readonly string[]): readonly string[] =>
    svcOf(HOME, args, { env: { NODE_OPTIONS: `--require=${trace}` } })
      .stderr.split(' ')
      .filter((name) => !/^(?:trace|svc|main|rolldown-runtime.*)\.cjs$/u.test(name))
      .map((name) => name.replace(/-[\w-]{8}\.cjs$/u, ''))
      .toSorted()
  expect(loaded('--version')).toEqual([])
  expect(loaded('keys', '--help')).toEqual([])
  // `index.cjs` is the compiled schema, which judges beside the rules.
  expect(loaded('validate', GOOD)).toEqual(['index.cjs', 'read', 'validate'])
  expect(loaded('validate', GOOD, '--format', 'sarif')).toEqual(['index.cjs', 'read', 'sarif', 'validate'])
  expect(loaded('fmt', '--check', GOOD)).toEqual(['format', 'read'])
})

describe('each command', () => {
  const commands = commandsOf(HOME)
  const tests = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[jt]s$/u.test(file) && !file.includes('node_modules'))
    .map((file) => readFileSync(join('test', file), 'utf8'))
    .join('\n')
  const topmost = commands.filter(({ length }) => length === 1)
  const leaves = commands.filter(
    (path) => !commands.some((other) => other.length > 1 && other[0] === path[0]) || path.length > 1,
  )

  it.each(topmost)('svc %s --help shows examples and exit codes', (name) => {
    const { stdout } = svcOf(HOME, [name, '--help'])
    expect(stdout).toContain('\nExamples:\n')
    expect(stdout).toMatch(/\nExit codes: 0 /u)
  })

  it.each(leaves.map((path) => path.join(' ')))('svc %s has an end-to-end case', (path) => {
    const words = path.split(' ').map((word) => `'${word}'`)
    expect(new RegExp(words.join(', ?'), 'u').test(tests)).toBe(true)
  })
})
