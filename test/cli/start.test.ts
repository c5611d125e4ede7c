import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { commandsOf, svcOf } from './start.js'

const folder = mkdtempSync(join(tmpdir(), 'svc-start-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

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

it('every command has help', () => {
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
})

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
      .map((name) => name.replace(/-[^-]*\.cjs$/u, ''))
  expect(loaded('--version')).toEqual([])
  expect(loaded('keys', '--help')).toEqual([])
  expect(loaded('validate', GOOD)).toEqual(['validate'])
  expect(loaded('validate', GOOD, '--format', 'sarif')).toEqual(['validate', 'sarif'])
})
