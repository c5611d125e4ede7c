import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { svc as command } from './command.js'

let folder = ''
const svc = (...args: readonly string[]) => command(args, { cwd: folder })
const client = () => readFileSync(join(folder, 'generated/client.ts'), 'utf8')

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-pin-'))
  cpSync('examples/minimal/svc.yaml', join(folder, 'svc.yaml'))
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
})
afterAll(() => rmSync(folder, { recursive: true }))

it('N06: the generated client pins the keys that the lock names, and every build keeps them', async () => {
  expect(await svc('keys', 'pin')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('There is no svc.lock.json'),
  })
  expect((await svc('build', '--no-bundle')).status).toBe(0)
  expect(client()).not.toContain('MANIFEST_KEYS')
  expect(await svc('keys', 'pin')).toMatchObject({ status: 2, stderr: expect.stringContaining('has no manifest key') })
  expect(await svc('keys', 'pin', 'short')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('short is no key id'),
  })
  await svc('keys', 'generate')
  const kid = (await svc('keys', 'list', '--role', 'manifest', '--kids')).stdout.trim()
  expect((await svc('keys', 'pin')).stderr).toContain(`pinned ${kid}`)
  expect((await svc('build', '--check')).status).toBe(1)
  expect((await svc('build', '--no-bundle')).status).toBe(0)
  expect(client()).toContain(`const MANIFEST_KEYS = [\n  '${kid}',\n]`)
  expect(client()).toContain('}, MANIFEST_KEYS)')
  expect((await svc('build', '--check')).status).toBe(0)
  expect(JSON.parse(readFileSync(join(folder, 'svc.lock.json'), 'utf8'))).toMatchObject({ manifest_keys: [kid] })
}, 60_000)
