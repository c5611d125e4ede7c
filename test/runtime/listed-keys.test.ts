import { expect, it, vi } from 'vitest'
import { publishManifest } from '../../src/crypto/jws/published-manifest.js'
import { generateRingKey, type RingKey } from '../../src/crypto/keys/key-ring.js'
import { publishedKeysOf } from '../../src/crypto/keys/published-keys.js'
import { maintain } from '../../src/runtime/lifecycle/maintenance.js'
import { capability, manifestOf } from './fixture/manifest.js'
import { KEYS, startFixture } from './fixture/service.js'

const TIMES = { issued_at: '2026-03-01T00:00:00Z', expires_at: '2026-04-01T00:00:00Z' }
const publishedWith = (keys: readonly RingKey[] | undefined) => {
  const { bytes } = publishManifest(manifestOf({ search: capability() }), TIMES, keys && publishedKeysOf({ keys }))
  return { bytes, signature: 'a..b' }
}

it('N06: a service whose published manifest does not list a key that signs does not start', async () => {
  const [manifest, tokens, audit] = KEYS.keys as [RingKey, RingKey, RingKey]
  await expect(startFixture({ publishedManifest: publishedWith([manifest, tokens]) })).rejects.toThrow(
    `The published manifest does not list the audit key ${audit.kid}`,
  )
  const mixed = [manifest, { ...tokens, role: 'audit' as const }, audit]
  await expect(startFixture({ publishedManifest: publishedWith(mixed) })).rejects.toThrow(
    `the tokens key ${tokens.kid}`,
  )
  await startFixture({ publishedManifest: publishedWith(KEYS.keys) })
})

it('N06: a key that the published manifest does not list takes over from none', async () => {
  const [manifest, tokens, audit] = KEYS.keys as [RingKey, RingKey, RingKey]
  const fresh = generateRingKey('tokens', 'active')
  const reloadKeys = async () => ({ keys: [manifest, { ...tokens, state: 'retired' as const }, fresh, audit] })
  const { service } = await startFixture({ publishedManifest: publishedWith(KEYS.keys), reloadKeys })
  const stop = maintain(service)
  await vi.waitFor(() => expect(service.alarms.all()).toContain('keys_unreadable'))
  await stop()
  expect(service.keys.ring().keys.find(({ role, state }) => role === 'tokens' && state === 'active')?.kid).toBe(
    tokens.kid,
  )
})
