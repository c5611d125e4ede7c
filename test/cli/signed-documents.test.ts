import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signedDocuments } from '../../src/cli/build/signed-documents.js'
import { CliError } from '../../src/cli/shared/errors/cli-error.js'
import { rememberNothing } from '../../src/compiler/plan/memo.js'
import { canonicalBytes } from '../../src/crypto/json/canonical.js'
import { signDetachedByJose } from '../../src/crypto/jws/jose-jws.js'
import { verifyDetached } from '../../src/crypto/jws/jws.js'
import { manifestDigest, verifyManifest } from '../../src/crypto/jws/published-manifest.js'
import type { JsonObject } from '../../src/protocol/manifest.js'
import { digestsOf, distTrouble } from '../../src/runtime/keys/dist-digests.js'
import { readKeyRing, writeNewKeys } from '../../src/runtime/keys/key-directory.js'
import { capability, manifestOf } from '../runtime/fixture/manifest.js'

const manifest = manifestOf({ search: capability() })
let root: string
const dist = (name: string) => join(root, 'dist', name)
const read = (name: string) => readFileSync(dist(name), 'utf8')
const publish = (now: number, published = manifest) =>
  signedDocuments(root, join(root, 'dist'), published, now, rememberNothing)

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'svc-signed-'))
  mkdirSync(join(root, 'dist'))
  await writeNewKeys(join(root, 'keys'), ['manifest', 'tokens', 'audit'], 0)
})
afterEach(() => rmSync(root, { recursive: true }))

const ALL = ['digests.json', 'manifest.json', 'jwks.json', 'manifest.jws']

describe('what a build signs', () => {
  it('is signed again when its signature is gone', async () => {
    expect(await publish(1000)).toEqual({ total: 4, changed: ALL, removed: [], isSigned: true })
    expect(await publish(2000)).toEqual({ total: 4, changed: [], removed: [], isSigned: true })
    rmSync(dist('manifest.jws'))
    expect(await publish(3000)).toEqual({ total: 4, changed: ALL, removed: [], isSigned: true })
    const keys = (await readKeyRing(join(root, 'keys'))).keys
    expect(verifyDetached(read('manifest.jws'), Buffer.from(read('manifest.json')), keys)).toBeDefined()
  })

  it('is signed again when half of its time is over', async () => {
    const day = 86_400_000
    expect((await publish(0)).changed).toEqual(ALL)
    expect((await publish(15 * day)).changed).toEqual([])
    expect((await publish(15 * day + 1)).changed).toEqual(ALL)
    expect(JSON.parse(read('manifest.json')).manifest_metadata).toMatchObject({ issued_at: '1970-01-16T00:00:00Z', expires_at: '1970-02-15T00:00:00Z' }) // prettier-ignore
  })

  it('leaves no signature beside a manifest that it is not of', async () => {
    await publish(1000)
    rmSync(join(root, 'keys'), { recursive: true })
    expect(await publish(2000, manifestOf({ find: capability() }))).toEqual({
      total: 2,
      changed: ['digests.json', 'manifest.json'],
      removed: ['manifest.jws'],
      isSigned: false,
    })
    expect(existsSync(dist('manifest.jws'))).toBe(false)
  })

  it('is signed elsewhere where the publishing key is, and left as it is then', async () => {
    const key = readdirSync(join(root, 'keys')).find((name) => name.startsWith('manifest-'))!
    renameSync(join(root, 'keys', key), join(root, 'offline.jwk'))
    expect(await publish(1000)).toEqual({
      total: 2,
      changed: ['digests.json', 'manifest.json'],
      removed: [],
      isSigned: false,
    })
    const jws = await signDetachedByJose(JSON.parse(readFileSync(join(root, 'offline.jwk'), 'utf8')), readFileSync(dist('manifest.json'))) // prettier-ignore
    writeFileSync(dist('manifest.jws'), jws)
    expect(await publish(2000)).toEqual({ total: 2, changed: [], removed: [], isSigned: true })
    expect(read('manifest.jws')).toBe(jws)
  })

  it('is left for half of the time that its signer gave it', async () => {
    await publish(0)
    const { manifest_metadata: metadata, ...rest } = JSON.parse(read('manifest.json')) as { manifest_metadata: object }
    const week = { ...metadata, expires_at: '1970-01-08T00:00:00Z' }
    const sha256 = manifestDigest({ ...rest, manifest_metadata: week } as JsonObject)
    const bytes = canonicalBytes({ ...rest, manifest_metadata: { ...week, sha256 } } as JsonObject)
    writeFileSync(dist('manifest.json'), bytes)
    const name = readdirSync(join(root, 'keys')).find((each) => each.startsWith('manifest-'))!
    writeFileSync(dist('manifest.jws'), await signDetachedByJose(JSON.parse(readFileSync(join(root, 'keys', name), 'utf8')), bytes)) // prettier-ignore
    const half = 3.5 * 86_400_000
    expect((await publish(half)).changed).toEqual([])
    expect((await publish(half + 1)).changed).toEqual(ALL)
  })

  it.each([
    ['manifest.json', (text: string) => text.replace('search', 'sEarch')],
    ['manifest.json', (text: string) => text.replace('"expires_at":"1970', '"expires_at":"2970')],
    ['manifest.jws', (text: string) => `${text.slice(0, -4)}AAAA`],
    ['manifest.jws', () => ''],
    ['manifest.jws', () => 'none'],
    ['digests.json', (text: string) => text.replace(/[0-9a-f]{64}/u, 'a'.repeat(64))],
    ['jwks.json', () => '{"keys":[]}'],
  ])('is signed again when %s was changed: %s', async (name, change) => {
    await publish(1000)
    expect((await publish(2000)).changed).toEqual([])
    writeFileSync(dist(name), change(read(name)))
    await publish(3000)
    const keys = (await readKeyRing(join(root, 'keys'))).keys
    expect(verifyManifest(readFileSync(dist('manifest.json')), read('manifest.jws'), keys, 3000).findings).toEqual([])
    expect(await distTrouble(join(root, 'dist'), (await digestsOf(join(root, 'dist'))).sha256, [])).toEqual([])
    expect((await publish(4000)).changed).toEqual([])
  })

  it('needs keys that nobody else may read', async () => {
    const [key = ''] = readdirSync(join(root, 'keys'))
    chmodSync(join(root, 'keys', key), 0o644)
    await expect(publish(1000)).rejects.toThrow(CliError)
  })

  it.each(['manifest.json', 'manifest.jws', 'jwks.json'])('is not written through a link beside %s', async (name) => {
    const outside = join(root, 'outside')
    writeFileSync(outside, 'precious')
    symlinkSync(outside, dist(`${name}.svc-tmp`))
    await publish(1000)
    expect(readFileSync(outside, 'utf8')).toBe('precious')
    expect(read(name)).not.toBe('precious')
  })
})
