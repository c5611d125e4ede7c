/** When documents are made anew: before they end, when keys change, and when a clock is set back (sections 2.1 to 2.3). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { generateRingKey, type KeyRing } from '../../src/crypto/keys/key-ring.js'
import { documentsOf } from '../../src/runtime/keys/published-documents.js'
import { capability, manifestOf } from './fixture/manifest.js'
import { KEYS } from './fixture/service.js'

const HOUR = 3_600_000

async function started(given: Partial<Parameters<typeof documentsOf>[0]> = {}) {
  const time = { now: Date.parse('2026-03-01T12:00:00.000Z') }
  const held: { ring: KeyRing } = { ring: KEYS }
  const manifest = manifestOf({ search: capability() })
  const source = { manifest, ring: () => held.ring, now: () => time.now, lifetimeMs: HOUR, published: undefined }
  return { time, held, documents: await documentsOf({ ...source, ...given }) }
}

it('a manifest is issued anew when half of its life is over, and no ms earlier', async () => {
  const { time, documents } = await started()
  const first = await documents.manifest()
  expect([first.expiresAt! - time.now, first.maxAge]).toEqual([HOUR, 300])
  time.now += HOUR / 2 - 1
  expect(await documents.manifest()).toBe(first)
  time.now += 1
  const second = await documents.manifest()
  expect([second.etag === first.etag, second.expiresAt! - time.now]).toEqual([false, HOUR])
})

it('a manifest is issued anew when keys change, once for all who ask at a time', async () => {
  const { held, documents } = await started()
  const first = await documents.manifest()
  held.ring = { keys: [...KEYS.keys, generateRingKey('tokens', 'next')] }
  const [one, other] = await Promise.all([documents.manifest(), documents.manifest()])
  expect([one === other, one.etag === first.etag]).toEqual([true, false])
})

it('a manifest that was published elsewhere without an end has none', async () => {
  const { documents } = await started({ published: { bytes: Buffer.from('{}'), signature: 'a..b' } })
  expect(await documents.manifest()).not.toHaveProperty('expiresAt')
})

it('the JWKS is made anew each minute, when the ring is another, and when the clock was set back', async () => {
  const { time, held, documents } = await started()
  const first = documents.jwks()
  expect(first.maxAge).toBe(60)
  time.now += 59_999
  expect(documents.jwks()).toBe(first)
  time.now += 1
  const second = documents.jwks()
  expect(second).not.toBe(first)
  time.now -= 1
  const third = documents.jwks()
  expect(third).not.toBe(second)
  held.ring = { keys: KEYS.keys }
  expect(documents.jwks()).not.toBe(third)
})

it('the OpenAPI document is looked for until it is there, and then kept', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-openapi-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
  const { documents } = await started({ openapi: pathToFileURL(join(folder, 'openapi.json')) })
  expect(await documents.openapi()).toBeUndefined()
  writeFileSync(join(folder, 'openapi.json'), '{}')
  const there = await documents.openapi()
  expect(String(there!.bytes)).toBe('{}')
  writeFileSync(join(folder, 'openapi.json'), '{"a":1}')
  expect(await documents.openapi()).toBe(there)
  expect(await (await started()).documents.openapi()).toBeUndefined()
})
