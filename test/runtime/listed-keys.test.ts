import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { generateRingKey, type RingKey } from '../../src/crypto/keys/key-ring.js'
import { digestsOf } from '../../src/runtime/keys/dist-digests.js'
import { readPublishedManifest } from '../../src/runtime/keys/published-file.js'
import { maintain } from '../../src/runtime/lifecycle/maintenance.js'
import { capability, manifestOf } from './fixture/manifest.js'
import { publishedManifest } from './fixture/published.js'
import { KEYS, startFixture } from './fixture/service.js'

const [manifest, tokens, audit] = KEYS.keys as [RingKey, RingKey, RingKey]
const folder = mkdtempSync(join(tmpdir(), 'svc-published-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('N06: a service whose published manifest does not list a key that signs does not start', async () => {
  await expect(
    startFixture({ publishedManifest: await publishedManifest({ keys: [manifest, tokens] }) }),
  ).rejects.toThrow(`The published manifest does not list the audit key ${audit.kid}`)
  const mixed = [manifest, { ...tokens, role: 'audit' as const }, audit]
  await expect(startFixture({ publishedManifest: await publishedManifest({ keys: mixed }) })).rejects.toThrow(
    `the tokens key ${tokens.kid}`,
  )
  await startFixture({ publishedManifest: await publishedManifest() })
})

const STRANGER = generateRingKey('manifest', 'active')

it.each<[string, Parameters<typeof publishedManifest>[0], string]>([
  ['is expired', { expires_at: '2026-03-01T12:00:00Z' }, 'The manifest expired at 2026-03-01T12:00:00Z. Sign it again: svc sign'],
  ['is signed by a key that nobody publishes', { signer: STRANGER }, `signed by the key ${STRANGER.kid}, which this service does not publish`],
  ['is signed by a key of another role', { signer: tokens }, `signed by the key ${tokens.kid}, which this service does not publish`],
  ['is of another build', { manifest: manifestOf({ search: capability({ minimum_scope: ['other'] }) }) }, 'is not the manifest of this build'],
])('a manifest that %s is not served', async (_, change, message) => {
  await expect(startFixture({ publishedManifest: await publishedManifest(change) })).rejects.toThrow(message)
}) // prettier-ignore

it.each([
  ['another signature', { signature: 'h..s' }],
  ['other bytes', { bytes: Buffer.from('{}') }],
])('a manifest with %s is not served', async (_, change) => {
  const published = { ...(await publishedManifest()), ...change }
  await expect(startFixture({ publishedManifest: published })).rejects.toThrow('The service cannot start')
})

it('a manifest that is older than the last one that was served is not, and the same one is', async () => {
  const stateDir = join(folder, 'state')
  const start = async (issued_at: string) =>
    startFixture({ stateDir, publishedManifest: await publishedManifest({ issued_at }) })
  await start('2026-03-01T10:00:00Z')
  await start('2026-03-01T11:00:00Z')
  await start('2026-03-01T11:00:00Z')
  await expect(start('2026-03-01T10:59:59Z')).rejects.toThrow(
    'was issued at 2026-03-01T10:59:59.000Z, and this service has served one of 2026-03-01T11:00:00.000Z.',
  )
})

it('a start that fails is none: what it would have served does not count', async () => {
  const stateDir = join(folder, 'failed')
  const newer = await publishedManifest({ issued_at: '2026-03-01T11:30:00Z' })
  await expect(startFixture({ stateDir, publishedManifest: newer, origins: ['*'] })).rejects.toThrow('origin')
  await startFixture({ stateDir, publishedManifest: await publishedManifest() })
})

it.each<[string, (place: (name: string) => string) => void, string | undefined]>([
  ['is as it was', () => undefined, undefined],
  ['has another server.mjs', (place) => writeFileSync(place('server.mjs'), 'other'), undefined],
  ['has another openapi.json', (place) => writeFileSync(place('openapi.json'), 'other'), 'openapi.json was changed after it was signed.'],
  ['lacks a file', (place) => rmSync(place('openapi.json')), 'openapi.json is missing.'],
  ['has one file more', (place) => writeFileSync(place('more.js'), ''), 'more.js is not in the signed list of files.'],
  ['has another list', (place) => writeFileSync(place('digests.json'), '{"files":{}}'), 'is not the list whose digest the manifest states.'],
  ['has no list', (place) => rmSync(place('digests.json')), 'digests.json, whose digest the manifest states.'],
])('a build whose folder %s', async (_, change, message) => {
  const dist = mkdtempSync(join(folder, 'dist-'))
  const place = (name: string) => join(dist, name)
  for (const name of ['server.mjs', 'openapi.json']) writeFileSync(place(name), name)
  const { text, sha256 } = await digestsOf(dist)
  writeFileSync(place('digests.json'), text)
  const { bytes, signature } = await publishedManifest({ 'x-digests-sha256': sha256 })
  writeFileSync(place('manifest.json'), bytes)
  writeFileSync(place('manifest.jws'), `${signature}\n`)
  change(place)
  const started = startFixture({ publishedManifest: await readPublishedManifest([], place('manifest.json')) })
  if (message === undefined) await started
  else await expect(started).rejects.toThrow(message)
}) // prettier-ignore

it('the manifest is named by --manifest, else by the setting; one that is not there or not signed is refused', async () => {
  const file = join(folder, 'own.json')
  writeFileSync(file, '{}')
  expect(await readPublishedManifest(['node', 'server.mjs'], undefined)).toBeUndefined()
  expect(await readPublishedManifest([], '')).toBeUndefined()
  await expect(readPublishedManifest([], file)).rejects.toThrow(`is not signed: there is no ${join(folder, 'own.jws')}`)
  writeFileSync(join(folder, 'own.jws'), 'h..s\n')
  const read = { bytes: readFileSync(file), signature: 'h..s', folder }
  expect(await readPublishedManifest(['--manifest', file], 'none.json')).toEqual(read)
  expect(await readPublishedManifest([`--manifest=${file}`], undefined)).toEqual(read)
  await expect(readPublishedManifest(['--manifest', 'none.json'], file)).rejects.toThrow('none.json cannot be read')
})

it.each([
  [['--manifest'], '--manifest names no file. Start with one: node dist/server.mjs --manifest dist/manifest.json'],
  [['--manifest', ''], '--manifest names no file.'],
  [['--manifest='], '--manifest names no file.'],
  [['--manifest', 'a.json', '--manifest', 'b.json'], '--manifest is given more than once.'],
  [['--manifest=a.json', '--manifest', ''], '--manifest is given more than once.'],
])('%j is refused: the service would sign a manifest of its own', async (args, message) => {
  await expect(readPublishedManifest(args, undefined)).rejects.toThrow(message)
})

it('a manifest of a folder that states no digest of its files is refused', async () => {
  const started = startFixture({ publishedManifest: { ...(await publishedManifest()), folder } })
  await expect(started).rejects.toThrow('The published manifest states no digest of the files beside it.')
})

it.each([
  ['that the published manifest does not list', [manifest, { ...tokens, state: 'retired' as const }, generateRingKey('tokens', 'active'), audit]],
  ['without the one that signed the published manifest', [generateRingKey('manifest', 'active'), tokens, audit]],
])('N06: keys %s take over from none', async (_, keys) => {
  const { service } = await startFixture({ publishedManifest: await publishedManifest(), reloadKeys: async () => ({ keys }) })
  const stop = maintain(service)
  await vi.waitFor(() => expect(service.alarms.all()).toContain('keys_unreadable'))
  await stop()
  expect(service.keys.ring().keys.map(({ kid }) => kid)).toEqual(KEYS.keys.map(({ kid }) => kid))
}) // prettier-ignore
