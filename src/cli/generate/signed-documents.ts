import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { signDetached } from '../../crypto/jws/jws.js'
import { jwksOf, signerFor, type KeyRing, type RingKey } from '../../crypto/keys/key-ring.js'
import { publisherOf, servedText, type Publisher } from '../../crypto/jws/published-manifest.js'
import { publishedKeysOf } from '../../crypto/keys/published-keys.js'
import type { Remember } from '../../compiler/plan/memo.js'
import type { Manifest } from '../../protocol/manifest.js'
import { readKeyRing } from '../../runtime/keys/key-directory.js'
import { explained } from '../keys/explained.js'
import { keysFolder } from './keys-folder.js'
import { replaceFile } from '../replace-file.js'

const DAY = 24 * 60 * 60 * 1000
/** How long consumers may cache a published manifest. */
const VALIDITY = 30 * DAY
const SIGNATURE = 'manifest.jws'
const MANIFEST = 'manifest.json'
const JWKS = 'jwks.json'

export interface SignedDocuments {
  readonly total: number
  /** The names of those that were written. */
  readonly changed: readonly string[]
  /** The name of a signature of something else, that was taken away. */
  readonly removed: readonly string[]
}

/**
 * Writes `manifest.json`, and where the keys of the folder sign manifests `manifest.jws` and `jwks.json`; a publishing
 * key may be kept elsewhere. A published manifest that says the same and has not run half of its time is left as it is,
 * whoever signed it.
 */
export async function signedDocuments(
  root: string,
  folder: string,
  manifest: Manifest,
  now: number,
  remember: Remember,
): Promise<SignedDocuments> {
  const ring = await keysOf(root)
  const names = ring === undefined ? [MANIFEST] : [MANIFEST, JWKS, SIGNATURE]
  const keys = ring === undefined ? undefined : publishedKeysOf(ring)
  const publisher = publisherOf(manifest, keys, (name, capability) =>
    remember(`served ${name}`, [capability], () => servedText(name, capability)),
  )
  const wasSigned = await isThere(join(folder, SIGNATURE))
  if ((ring === undefined || wasSigned) && (await isCurrent(folder, publisher, now)))
    return { total: names.length, changed: [], removed: [] }
  await mkdir(folder, { recursive: true })
  const published = publisher.publish({ issued_at: timeText(now), expires_at: timeText(now + VALIDITY) })
  // The signature goes first and comes last: where it stands, it is of what stands beside it, also after a kill.
  await rm(join(folder, SIGNATURE), { force: true })
  await replaceFile(join(folder, MANIFEST), published.bytes)
  if (ring !== undefined) {
    const signature = await signDetached(signerFor(ring, 'manifest'), published.bytes)
    await replaceFile(join(folder, JWKS), `${JSON.stringify(jwksOf(ring, now))}\n`)
    await replaceFile(join(folder, SIGNATURE), signature)
  }
  return { total: names.length, changed: names, removed: ring === undefined && wasSigned ? [SIGNATURE] : [] }
}

/** Whole seconds, as RFC 3339. */
const timeText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`

async function keysOf(root: string): Promise<KeyRing | undefined> {
  const folder = keysFolder(root)
  const ring = (await isThere(folder)) ? await explained(readKeyRing(folder)) : undefined
  return ring?.keys.some(signsManifests) === true ? ring : undefined
}

const signsManifests = ({ role, state, signer }: RingKey): boolean =>
  role === 'manifest' && state === 'active' && signer !== undefined

const isThere = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined)) !== undefined

async function isCurrent(folder: string, { says }: Publisher, now: number): Promise<boolean> {
  const bytes = await readFile(join(folder, MANIFEST)).catch(() => Buffer.of())
  const text = bytes.toString()
  const [, expires_at = '', issued_at = '', sha256 = ''] = METADATA.exec(text) ?? []
  const isFresh = Date.parse(expires_at) - now >= VALIDITY / 2
  return isFresh && says(text, { issued_at, expires_at }, sha256) && Buffer.from(text).equals(bytes)
}

const METADATA = /"expires_at":"([^"]+)","issued_at":"([^"]+)","sha256":"([^"]+)"/u
