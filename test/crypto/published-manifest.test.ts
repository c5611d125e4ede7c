import { beforeAll, describe, expect, it } from 'vitest'
import { canonicalBytes } from '../../src/crypto/json/canonical.js'
import { sha256Hex } from '../../src/crypto/json/digest.js'
import { signDetached } from '../../src/crypto/jws/jws.js'
import { generateRingKey } from '../../src/crypto/keys/key-ring.js'
import {
  manifestDigest,
  publisherOf,
  publishManifest,
  verifyManifest,
  type CanonicalManifest,
} from '../../src/crypto/jws/published-manifest.js'
import type { JsonObject } from '../../src/protocol/manifest.js'
import { toolsOf } from '../../src/protocol/tools.js'
import { capability, manifestOf } from '../runtime/fixture/manifest.js'

const KEY = generateRingKey('manifest', 'active')
const OTHER = generateRingKey('manifest', 'active')
const TIMES = { issued_at: '2030-01-01T00:00:00.000Z', expires_at: '2030-01-02T00:00:00.000Z' }
const NOW = Date.parse('2030-01-01T12:00:00.000Z')
const MANIFEST = manifestOf({ search: capability() })
const TOOLS = sha256Hex(canonicalBytes(toolsOf(MANIFEST)))
let published: CanonicalManifest
beforeAll(() => void (published = publishManifest(MANIFEST, TIMES)))

const withDigest = (document: JsonObject): JsonObject => {
  const metadata = document['manifest_metadata'] as JsonObject
  const sha256 = manifestDigest(document)
  return { ...document, manifest_metadata: { ...metadata, sha256 } }
}

const judge = async (bytes: Uint8Array, jws?: string, keys = [KEY], now = NOW) =>
  verifyManifest(bytes, jws ?? (await signDetached(KEY.signer!, bytes)), keys, now)

describe('a published manifest', () => {
  it('is in canonical bytes, with its digest', () => {
    expect(Buffer.from(published.bytes).toString()).toBe(Buffer.from(canonicalBytes(published.document)).toString())
    expect(published.document['manifest_metadata']).toStrictEqual({
      version: '0.24.0',
      ...TIMES,
      sha256: published.sha256,
      'x-tools-sha256': TOOLS,
    })
    const { sha256: _, ...metadata } = published.document['manifest_metadata'] as JsonObject
    expect(published.sha256).toBe(sha256Hex(canonicalBytes({ ...published.document, manifest_metadata: metadata })))
    expect(manifestDigest(published.document)).toBe(published.sha256)
  })

  it('replaces a digest of tools that its source says', () => {
    const said = { ...MANIFEST.manifest_metadata, 'x-tools-sha256': '0'.repeat(64) }
    const { document } = publishManifest({ ...MANIFEST, manifest_metadata: said }, TIMES)
    expect(document['manifest_metadata']).toMatchObject({ 'x-tools-sha256': TOOLS })
  })

  it('knows its own text, and no other', () => {
    const { says } = publisherOf(MANIFEST)
    const { sha256 } = published
    const text = Buffer.from(published.bytes).toString()
    const wrong = '0'.repeat(64)
    expect(says(text, TIMES, sha256)).toBe(true)
    expect(says(text.replace('"trust"', '"trusts"'), TIMES, sha256)).toBe(false)
    expect(says(text, { ...TIMES, issued_at: '' }, sha256)).toBe(false)
    expect(says(text.replace(sha256, wrong), TIMES, wrong)).toBe(false)
  })

  it('differs in its times and its digest only, each time that it is published', () => {
    const { publish } = publisherOf(MANIFEST)
    expect(publish(TIMES)).toMatchObject({ bytes: published.bytes, sha256: published.sha256 })
    const later = publish({ ...TIMES, expires_at: '2030-01-03T00:00:00.000Z' })
    expect(JSON.parse(Buffer.from(later.bytes).toString())).toEqual(
      withDigest({
        ...published.document,
        manifest_metadata: {
          version: '0.24.0',
          ...TIMES,
          expires_at: '2030-01-03T00:00:00.000Z',
          'x-tools-sha256': TOOLS,
        },
      }),
    )
    expect(later.sha256).not.toBe(published.sha256)
  })
})

describe('what is wrong with a published manifest', () => {
  it('is nothing', async () => {
    expect(await judge(published.bytes)).toStrictEqual({ findings: [], document: published.document, kid: KEY.kid })
    expect(await judge(published.bytes, undefined, [OTHER, KEY])).toMatchObject({ findings: [], kid: KEY.kid })
  })

  const NO_JWS = 'The signature is not a detached ES256 JWS (header..signature).'
  const header = (text: string) => Buffer.from(text).toString('base64url')
  it.each<[string, string, string]>([
    ['no signature', '', NO_JWS],
    ['a signature with its payload', `${header('{"kid":"k"}')}.e30.AAAA`, NO_JWS],
    ['a signature without dots', header('{"kid":"k"}'), NO_JWS],
    ['a header without a key', `${header('{"alg":"ES256"}')}..AAAA`, NO_JWS],
    ['a header with a key that is no text', `${header('{"kid":1}')}..AAAA`, NO_JWS],
    ['a header that is no object', `${header('["kid"]')}..AAAA`, NO_JWS],
    ['a header that is null', `${header('null')}..AAAA`, NO_JWS],
    ['a header that is a text', `${header('"kid"')}..AAAA`, NO_JWS],
    ['another key', `${header('{"kid":"k"}')}..AAAA`, 'The signature names the key k, which is not among the given keys.'],
    ['another signature', `${header(`{"kid":"${KEY.kid}"}`)}..AAAA`, `The signature is not one of these bytes by the key ${KEY.kid}: the manifest or its signature was changed.`],
  ])('is %s', async (_, jws, message) => {
    expect(await judge(published.bytes, jws)).toStrictEqual({
      findings: [{ part: 'signature', message }],
      document: published.document,
    })
  }) // prettier-ignore

  it('is its key, among others', async () => {
    const jws = await signDetached(OTHER.signer!, Buffer.from('other'))
    const message = `The signature is not one of these bytes by the key ${OTHER.kid}: the manifest or its signature was changed.`
    expect((await judge(published.bytes, jws, [KEY, OTHER])).findings).toEqual([{ part: 'signature', message }])
  })

  it.each([
    ['{}', 'The file is not a manifest.'],
    ['null', 'The file is not a manifest.'],
    ['[]', 'The file is not a manifest.'],
    ['"manifest"', 'The file is not a manifest.'],
    ['{"manifest_metadata":null}', 'The file is not a manifest.'],
    ['{"manifest_metadata":[]}', 'The file is not a manifest.'],
    ['{"manifest_metadata":"x"}', 'The file is not a manifest.'],
  ])('is its form: %s', async (text, message) => {
    expect(await judge(Buffer.from(text))).toStrictEqual({ findings: [{ part: 'form', message }], kid: KEY.kid })
  })

  it('is JSON that is none, beside its signature', async () => {
    const { findings, ...rest } = await judge(Buffer.from('{'), 'x')
    expect(findings).toEqual([
      { part: 'signature', message: NO_JWS },
      { part: 'form', message: expect.stringMatching(/.+/u) as string },
    ])
    expect(rest).toEqual({})
  })

  it('is its bytes, though they say the same', async () => {
    const bytes = Buffer.from(JSON.stringify(published.document, undefined, 1))
    expect((await judge(bytes)).findings).toEqual([
      { part: 'form', message: 'The bytes are not the canonical form (RFC 8785) of their content.' },
    ])
  })

  it('is its digest', async () => {
    const document = { ...published.document, more: 1 }
    expect((await judge(canonicalBytes(document))).findings).toEqual([
      {
        part: 'digest',
        message: `manifest_metadata.sha256 says ${published.sha256}, but the content has ${manifestDigest(document)}.`,
      },
    ])
  })

  const NO_TIME = 'manifest_metadata.expires_at is missing or no time.'
  it.each<[unknown, string | undefined]>([
    ['2030-01-01T12:00:00.001Z', undefined],
    ['2030-01-01T12:00:00.000Z', 'The manifest expired at 2030-01-01T12:00:00.000Z.'],
    ['2029-01-01T12:00:00.000Z', 'The manifest expired at 2029-01-01T12:00:00.000Z.'],
    ['soon', NO_TIME],
    [4_102_444_800_000, NO_TIME],
    [undefined, NO_TIME],
  ])('is that it expires at %j', async (expires_at, message) => {
    const metadata = { version: '0.24.0', ...(expires_at !== undefined && { expires_at }) } as JsonObject
    const document = withDigest({ ...published.document, manifest_metadata: metadata })
    expect((await judge(canonicalBytes(document))).findings).toEqual(
      message === undefined ? [] : [{ part: 'expiry', message }],
    )
  })
})
