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
import { verifyDetached } from '../../src/crypto/jws/jws.js'
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
    writeFileSync(dist('manifest.jws'), 'by the publishing key')
    expect(await publish(2000)).toEqual({ total: 2, changed: [], removed: [], isSigned: true })
    expect(read('manifest.jws')).toBe('by the publishing key')
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
