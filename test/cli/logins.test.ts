/** Where svc login keeps what it was given: in a folder that nobody else may read. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keepLogin, lockOfLogins, loginAt, serviceKey, type Login } from '../../src/cli/service/logins/logins.js'

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'svc-logins-'))
  vi.stubEnv('XDG_CONFIG_HOME', home)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(home, { recursive: true })
})

const login = { issuer: 'https://sso.example', client_id: 'cli', send: 'access', credential: 'c', expires_at: '2030-01-01T00:00:00.000Z' } as Login // prettier-ignore
const modeOf = (path: string) => statSync(join(home, path)).mode & 0o777

it('is their owner’s alone: the folder, and the file', async () => {
  await keepLogin('https://svc.example', login)
  expect([readdirSync(join(home, 'svc')), modeOf('svc'), modeOf('svc/logins.json')]).toEqual([['logins.json'], 0o700, 0o600]) // prettier-ignore
  expect(lockOfLogins()).toBe(join(home, 'svc/logins.json.lock'))
})

it('makes the folder for its lock as private', () => {
  lockOfLogins()
  expect(modeOf('svc')).toBe(0o700)
})

it('is of a service whatever slashes its address ends with, and of no other port or path', async () => {
  await keepLogin('https://svc.example/base//', login)
  expect([serviceKey('https://svc.example/base/'), loginAt('https://svc.example/base')]).toEqual(['https://svc.example/base', login]) // prettier-ignore
  for (const other of [
    'https://svc.example',
    'https://svc.example:444/base',
    'http://svc.example/base',
    'https://svc.example/bas',
  ])
    // prettier-ignore
    expect([other, loginAt(other)]).toEqual([other, undefined])
})
