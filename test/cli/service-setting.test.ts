import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { serviceSetting } from '../../src/cli/shared/files/service-setting.js'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'svc-setting-'))))
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

const LOADS = 'process.loadEnvFile()\nconst { HOST = \'127.0.0.1\', SVC_KEYS = "keys", SVC_STATE_DIR } = process.env\n'

it.each([
  ['the environment, before all others', { main: LOADS, env: 'SVC_KEYS=file\n', given: 'given' }, 'given'],
  ['.env, which main.ts loads', { main: LOADS, env: 'SVC_KEYS=file\n' }, 'file'],
  ['.env, where there is no main.ts', { env: 'SVC_KEYS=file\n' }, 'file'],
  ['main.ts, where nobody says otherwise', { main: LOADS }, 'keys'],
  ['main.ts, which does not load .env', { main: LOADS.replace('process.loadEnvFile()', ''), env: 'SVC_KEYS=file\n' }, 'keys'],
  ['nobody', { main: 'process.loadEnvFile()\n' }, undefined],
] as const)('a setting is that of %s', (_, files: { readonly main?: string; readonly env?: string; readonly given?: string }, value) => {
  if (files.main !== undefined) writeFileSync(join(folder, 'main.ts'), files.main)
  if (files.env !== undefined) writeFileSync(join(folder, '.env'), files.env)
  if (files.given !== undefined) vi.stubEnv('SVC_KEYS', files.given)
  expect(serviceSetting(folder, 'SVC_KEYS')).toBe(value)
}) // prettier-ignore

it('a name is not found within another, nor is one without a default', () => {
  writeFileSync(join(folder, 'main.ts'), LOADS)
  expect([serviceSetting(folder, 'KEYS'), serviceSetting(folder, 'SVC_STATE_DIR')]).toEqual([undefined, undefined])
})
