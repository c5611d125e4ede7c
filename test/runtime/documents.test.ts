import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { canonicalText } from '../../src/crypto/json/canonical.js'
import { sha256Hex } from '../../src/crypto/json/digest.js'
import { generateRingKey } from '../../src/crypto/keys/key-ring.js'
import { documentsOf } from '../../src/runtime/keys/published-documents.js'
import { capability, manifestOf } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'
import { publishedManifest } from './fixture/published.js'

const HOUR = 3600_000

it('a manifest that cannot be re-issued is served until it ends, and re-issued as soon as it can be', async () => {
  const key = generateRingKey('manifest', 'active')
  const store = { isDown: false, now: Date.parse('2026-03-01T12:00:00.000Z') }
  const sign = (data: Uint8Array) => {
    if (store.isDown) throw new Error('The key store is down.')
    return key.signer!.sign(data)
  }
  const ring = { keys: [{ ...key, signer: { kid: key.kid, sign } }] }
  const manifest = manifestOf({ search: capability() })
  const documents = await documentsOf({ manifest, ring: () => ring, now: () => store.now, lifetimeMs: HOUR, published: undefined })
  const first = await documents.manifest()
  store.isDown = true
  store.now += HOUR - 1
  expect(await documents.manifest()).toBe(first)
  store.now += 1
  await expect(documents.manifest()).rejects.toThrow('The key store is down.')
  store.isDown = false
  expect((await documents.manifest()).expiresAt).toBe(store.now + HOUR)
}) // prettier-ignore

it('a manifest that was published elsewhere is served as it is, and says when it ends', async () => {
  const published = { bytes: Buffer.from('{"manifest_metadata":{"expires_at":"2026-03-01T13:00:00.000Z"}}'), signature: 'h..s' }
  const manifest = manifestOf({ search: capability() })
  const now = () => Date.parse('2026-03-02T00:00:00.000Z')
  const documents = await documentsOf({ manifest, ring: () => ({ keys: [] }), now, lifetimeMs: HOUR, published })
  expect(await documents.manifest()).toMatchObject({ bytes: published.bytes, expiresAt: Date.parse('2026-03-01T13:00:00.000Z') })
}) // prettier-ignore

it('the manifest has the members of section 2.3, and does not say which class of callers may read what', async () => {
  const { call } = await startFixture({ manifest: { metadata_disclosure: { caller_class: { internal: 'full' } } } })
  expect(Object.keys((await call('GET', '/svc/manifest')).body)).toEqual(['capabilities', 'manifest_metadata', 'service_identity', 'trust'])
  expect((await call('GET', '/.well-known/svc')).body['svc_discovery']?.['metadata_disclosure']).toEqual({ caller_class: ['internal'] })
}) // prettier-ignore

it('health says that a published manifest has ended', async () => {
  const { call, time } = await startFixture({ publishedManifest: await publishedManifest() })
  time.now = Date.parse('2026-04-01T00:00:00Z')
  expect((await call('GET', '/-/ready')).body).toMatchObject({ status: 'degraded', alarms: ['manifest_expired'] })
}) // prettier-ignore

it('the tools are served as the bytes whose digest the signed manifest has', async () => {
  const { call } = await startFixture({})
  const manifest = await call('GET', '/svc/manifest')
  const { body } = await call('GET', '/tools.json')
  expect(body['tools']).not.toEqual([])
  expect(sha256Hex(canonicalText(body))).toBe(manifest.body['manifest_metadata']['x-tools-sha256'])
})

it('the OpenAPI document is served where the build put it, and is missing where it put none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-openapi-'))
  const openapi = pathToFileURL(join(folder, 'openapi.json'))
  const { call } = await startFixture({ openapi })
  expect(await call('GET', '/openapi.json')).toMatchObject({ status: 404, body: { failure: { type: 'not_found' } } })
  await writeFile(openapi, '{"openapi":"3.1.1"}')
  expect(await call('GET', '/openapi.json')).toMatchObject({ status: 200, body: { openapi: '3.1.1' } })
  await rm(folder, { recursive: true })
})
