/** Commands of operators where only `dist/`, the keys and the API keys of a service are. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

const parent = mkdtempSync(join(tmpdir(), 'svc-one-file-'))
const shop = join(parent, 'shop')
const alone = join(parent, 'alone')

const ran = (cwd: string, ...command: readonly string[]) =>
  spawnSync(process.execPath, command, { cwd, encoding: 'utf8', env: { PATH: process.env['PATH'] } })
const svc = (cwd: string, ...parameters: readonly string[]) => ran(cwd, resolve('bin/svc.cjs'), ...parameters)
const operate = (...parameters: readonly string[]) => ran(alone, 'dist/server.mjs', ...parameters)

beforeAll(() => {
  expect(svc(parent, 'init', 'shop', '--yes').status).toBe(0)
  mkdirSync(join(shop, 'node_modules'))
  symlinkSync(resolve('.'), join(shop, 'node_modules/svc-kit'), 'junction')
  expect(svc(shop, 'build', '--no-types').status).toBe(0)
  for (const each of ['dist', 'keys', 'api-keys.json']) cpSync(join(shop, each), join(alone, each), { recursive: true })
})
afterAll(() => rmSync(parent, { recursive: true, force: true, maxRetries: 20 }))

it.each(['doctor', 'keys', 'signer', 'apikeys', 'migrate', 'audit'])('carries svc %s', (name) => {
  const { status, stdout, stderr } = operate(name, '--help')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatch(new RegExp(`^Usage: svc ${name} .*display help for command.*$`, 'su'))
})

it('does what the command does, and nothing of the service', () => {
  expect(operate('keys', 'list', '--kids')).toMatchObject({
    status: 0,
    stdout: svc(shop, 'keys', 'list', '--kids').stdout,
  })
  expect(operate('migrate', 'status')).toMatchObject({
    status: 2,
    stderr: 'svc: Name the database: --database <file or postgresql:// address>, or set SVC_DATABASE.\n',
  })
  expect(existsSync(join(alone, 'data'))).toBe(false)
})

it('starts no service for a misspelt command', () => {
  expect(operate('migarte', 'up')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("error: unknown command 'migarte'\n(Did you mean migrate?)") as string,
  })
})

it('examines what is there, without a project', () => {
  const { status, stdout } = operate('doctor')
  expect({ status, lines: stdout.split('\n').map((line) => line.slice(0, 23).trimEnd()) }).toEqual({
    status: 0,
    lines: [
      'ok       node',
      'ok       packages',
      'ok       signing keys',
      'ok       API keys',
      'ok       clock',
      'Nothing stands in the w',
      '',
    ],
  })
  expect(stdout).toContain('svc-kit 0.1.0, and all others, in one file\n')
})

it('is compared by svc doctor with the svc-kit that is installed', () => {
  const file = join(shop, 'dist/sbom.cdx.json')
  expect(svc(shop, 'doctor').stdout).toContain('ok       packages      svc-kit 0.1.0\n')
  writeFileSync(file, readFileSync(file, 'utf8').replace('"version": "0.1.0"', '"version": "0.0.9"'))
  expect(svc(shop, 'doctor').stdout).toContain(
    'warning  packages      The last build has svc-kit 0.0.9, and 0.1.0 is installed.\n                       Run: svc build\n',
  )
})
