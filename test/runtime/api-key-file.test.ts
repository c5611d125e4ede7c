import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { maintain } from '../../src/runtime/index.js'
import { readApiKeys } from '../../src/runtime/node.js'
import { API_KEYS, KEYS, startFixture } from './fixture/service.js'

const KEY = { id: 'desk', principal: 'service:desk', sha256: 'a'.repeat(64), scopes: [] }

const BOUNDED = API_KEYS.map((key) => ({ scopes: ['travel.search'], ...key }))

let folder: string
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'svc-api-keys-'))))
afterEach(() => rm(folder, { recursive: true }))

const write = (text: string) => writeFile(join(folder, 'keys.json'), text, { mode: 0o600 })

async function read(content: unknown) {
  await write(JSON.stringify(content))
  return readApiKeys(join(folder, 'keys.json'))
}

it('reads a list, or an object that holds one, and leaves notes alone', async () => {
  const keys = [
    KEY,
    { ...KEY, sha256: 'b'.repeat(64), scopes: [], caller_classes: [], revoked: true, 'x-owner': 'ana' },
  ]
  expect([...(await read(keys))]).toEqual(keys)
  expect([...(await read({ keys }))]).toEqual(keys)
})

it.each([
  [{}, 'must hold a list of API keys.'],
  [['desk'], 'key 1 must be an object.'],
  [[{ ...KEY, id: '' }], 'key 1 needs an id of 1 to 256 visible characters.'],
  [[{ ...KEY, id: 'a\u001b[2J' }], 'key 1 needs an id of 1 to 256 visible characters.'],
  [[{ ...KEY, id: 'a'.repeat(257) }], 'key 1 needs an id of 1 to 256 visible characters.'],
  [[KEY, { ...KEY, sha256: 'b'.repeat(64) }], 'key 2 has the id "desk" of one before it. Give it another'],
  [[KEY, { ...KEY, principal: 'desk' }], 'key 2 needs a principal, as human:ana@example.com.'],
  [[{ ...KEY, sha256: 'secret' }], 'key 1 needs sha256: 64 lower-case hex digits.'],
  [[{ ...KEY, sha256: 'A'.repeat(64) }], 'key 1 needs sha256: 64 lower-case hex digits.'],
  [[{ ...KEY, sha256: 'a'.repeat(65) }], 'key 1 needs sha256: 64 lower-case hex digits.'],
  [[{ ...KEY, scopes: 'travel.search' }], 'key 1 may have scopes and caller_classes as lists of strings.'],
  [[{ ...KEY, caller_classes: 'internal' }], 'key 1 may have scopes and caller_classes as lists of strings.'],
  [[{ ...KEY, caller_classes: ['internal', 1] }], 'key 1 may have scopes and caller_classes as lists of strings.'],
  [[{ ...KEY, roles: [] }], 'key 1 may have roles as a list of auditor, operator, metrics.'],
  [[{ ...KEY, roles: ['operator', 'owner'] }], 'key 1 may have roles as a list of auditor, operator, metrics.'],
  [[{ ...KEY, roles: 'operator' }], 'key 1 may have roles as a list of auditor, operator, metrics.'],
  [[{ ...KEY, revoked: 'true' }], 'key 1 may have revoked: true or false.'],
  [[{ ...KEY, revoked: null }], 'key 1 may have revoked: true or false.'],
  [[{ ...KEY, expires_at: '2030-01-01T00:00:00' }], 'key 1 may have expires_at'],
  [[{ ...KEY, expires_at: 'tomorrow' }], 'key 1 may have expires_at: a time such as 2030-01-01T00:00:00Z.'],
  [[{ ...KEY, expires_at: '2030-13-01T00:00:00Z' }], 'key 1 may have expires_at'],
  [[{ ...KEY, scope: ['travel.search'] }], 'key 1 has an unknown member "scope"; notes begin with x-.'],
  [[{ ...KEY, development: 'yes' }], 'key 1 may have development: true or false.'],
  [
    [KEY, { ...KEY, id: 'other', sha256: 'b'.repeat(64), scopes: undefined }],
    'key 2 has neither scopes nor roles, so nothing bounds it. Run: svc apikeys change other --scope <scope>',
  ],
  [[{ ...KEY, id: '$(id)', scopes: undefined }], "Run: svc apikeys change '$(id)' --scope <scope>"],
  [
    [
      { ...KEY, revoked: true },
      { ...KEY, id: 'other' },
    ],
    'key 2 has the sha256 of one before it.',
  ],
])('refuses %j', async (content, problem) => {
  await expect(read(content)).rejects.toThrow(problem)
})

it('takes a key with roles alone: it has no scopes', async () => {
  const [key] = await read([{ ...KEY, scopes: undefined, roles: ['auditor'] }])
  expect(key).toMatchObject({ id: 'desk', roles: ['auditor'] })
})

it('is read again while the service runs: a revoked key ends; a file that cannot be read ends none', async () => {
  const { service, post, call, logged } = await startFixture({ apiKeys: await read(BOUNDED), limits: { leaseMs: 30 } })
  const rest = maintain(service)
  const statusOf = async (key: string) => (await post('/svc/tokens', key, { scope: ['travel.search'] })).status
  expect(await statusOf('ana-key')).toBe(200)
  await write(JSON.stringify(BOUNDED.map((key) => ({ ...key, revoked: key.id === 'ana' }))))
  await expect.poll(() => statusOf('ana-key'), { timeout: 10_000 }).toBe(401)
  await write('[')
  await expect.poll(() => logged.join(), { timeout: 10_000 }).toContain('keys.json is not JSON')
  expect(await statusOf('bob-key')).toBe(200)
  const health = async () => (await call('GET', '/-/ready')).body
  await expect.poll(health, { timeout: 10_000 }).toMatchObject({ status: 'degraded', alarms: ['api_keys_unreadable'] })
  await write(JSON.stringify(BOUNDED))
  await expect.poll(async () => (await health())['status'] as unknown, { timeout: 10_000 }).toBe('ready')
  await rest()
})

it('takes a key away by the very reading in which it is revoked', async () => {
  const revoked = API_KEYS.map((key) => ({ ...key, revoked: key.id === 'ana' }))
  const { service, post } = await startFixture({
    apiKeys: Object.assign([...API_KEYS], { reload: async () => revoked }),
  })
  await service.apiKeys.reload()
  expect((await post('/svc/tokens', 'ana-key', { scope: ['travel.search'] })).status).toBe(401)
})

it.each([0o666, 0o644, 0o640, 0o602])('refuses a file of mode %o: whoever may write it may give keys', async (mode) => {
  await write(JSON.stringify([KEY]))
  await chmod(join(folder, 'keys.json'), mode)
  const shown = `0${mode.toString(8)}`
  await expect(readApiKeys(join(folder, 'keys.json'))).rejects.toThrow(
    `keys.json (mode ${shown}). Run: chmod 600 ${join(folder, 'keys.json')}`,
  )
})

it('signing keys that no longer read degrade the health until they do', async () => {
  let reads = false
  const reloadKeys = () => (reads ? Promise.resolve(KEYS) : Promise.reject(new Error('no')))
  const { service, call } = await startFixture({ reloadKeys, limits: { leaseMs: 30 } })
  const rest = maintain(service)
  const alarms = async () => (await call('GET', '/-/ready')).body['alarms'] as unknown
  await expect.poll(alarms, { timeout: 10_000 }).toEqual(['keys_unreadable'])
  reads = true
  await expect.poll(alarms, { timeout: 10_000 }).toEqual([])
  await rest()
})

it('lets nobody sign in with a key that has expired', async () => {
  const [ana] = API_KEYS
  const { post, time } = await startFixture({ apiKeys: [{ ...ana!, expires_at: '2026-03-01T13:00:00+00:30' }] })
  expect((await post('/svc/tokens', 'ana-key', { scope: ['travel.search'] })).status).toBe(200)
  time.now = Date.parse('2026-03-01T12:30:00Z')
  expect((await post('/svc/tokens', 'ana-key', { scope: ['travel.search'] })).status).toBe(401)
})
