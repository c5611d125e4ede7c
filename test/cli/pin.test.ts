import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

let folder = ''
const svc = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve('bin/svc.cjs'), ...args], { cwd: folder, encoding: 'utf8' })
  return { status, stdout, stderr }
} // prettier-ignore
const client = () => readFileSync(join(folder, 'generated/client.ts'), 'utf8')

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-pin-'))
  cpSync('examples/minimal/svc.yaml', join(folder, 'svc.yaml'))
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
})
afterAll(() => rmSync(folder, { recursive: true }))

it('N06: the generated client pins the keys that the lock names, and every build keeps them', () => {
  expect(svc('keys', 'pin')).toMatchObject({ status: 2, stderr: expect.stringContaining('There is no svc.lock.json') })
  expect(svc('build', '--no-bundle').status).toBe(0)
  expect(client()).not.toContain('MANIFEST_KEYS')
  expect(svc('keys', 'pin')).toMatchObject({ status: 2, stderr: expect.stringContaining('has no manifest key') })
  expect(svc('keys', 'pin', 'short')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('short is no key id'),
  })
  svc('keys', 'generate')
  const kid = svc('keys', 'list', '--role', 'manifest', '--kids').stdout.trim()
  expect(svc('keys', 'pin').stderr).toContain(`pinned ${kid}`)
  expect(svc('build', '--check').status).toBe(1)
  expect(svc('build', '--no-bundle').status).toBe(0)
  expect(client()).toContain(`const MANIFEST_KEYS = [\n  '${kid}',\n]`)
  expect(client()).toContain('}, MANIFEST_KEYS)')
  expect(svc('build', '--check').status).toBe(0)
  expect(JSON.parse(readFileSync(join(folder, 'svc.lock.json'), 'utf8'))).toMatchObject({ manifest_keys: [kid] })
}, 60_000)
