import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { jwksByJose } from '../../crypto/jws/jose-jws.js'
import { jwksOf, type KeyRing, type RingKey } from '../../crypto/keys/key-ring.js'
import { publisherOf, servedText } from '../../crypto/jws/published-manifest.js'
import { publishedKeysOf } from '../../crypto/keys/published-keys.js'
import { ringAt } from '../../crypto/keys/stored-key.js'
import type { Remember } from '../../compiler/plan/memo.js'
import type { PrivateJwk } from '../../protocol/jwk.js'
import type { Manifest } from '../../protocol/manifest.js'
import { DIGESTS, digestsOf, PUBLISHED } from '../../runtime/keys/dist-digests.js'
import { readStoredKeyFiles } from '../../runtime/keys/key-directory.js'
import { explained } from '../shared/errors/explained.js'
import { activeManifestKey } from '../publishing/publishing-key.js'
import { sourceDate } from '../publishing/source-date.js'
import { writeJwks, writePublished } from '../publishing/write-published.js'
import { keysFolder } from './keys-folder.js'
import { publishedBefore, timeText } from './signed-state.js'
import { replaceFile } from '../shared/files/replace-file.js'

const DAY = 24 * 60 * 60 * 1000
/** Cache lifetime of a published manifest. */
const VALIDITY = 30 * DAY

export interface SignedDocuments {
  readonly total: number
  /** The names of those that were written. */
  readonly changed: readonly string[]
  /** The name of a signature of something else, that was taken away. */
  readonly removed: readonly string[]
  /** Holds when a signature is beside the manifest, whoever made it. */
  readonly isSigned: boolean
}

/**
 * Writes `digests.json` of all other files, `manifest.json`, and where the keys of the folder sign manifests
 * `manifest.jws` and `jwks.json`; a publishing key may be kept elsewhere. A published manifest that says the same and
 * has not run half of its time is left as it is, whoever signed it.
 */
export async function signedDocuments(
  root: string,
  folder: string,
  manifest: Manifest,
  now: number,
  remember: Remember,
): Promise<SignedDocuments> {
  const keys = await keysOf(root, now)
  const names =
    keys === undefined
      ? [DIGESTS, PUBLISHED.manifest]
      : [DIGESTS, PUBLISHED.manifest, PUBLISHED.jwks, PUBLISHED.signature]
  const publisher = publisherOf(manifest, keys && publishedKeysOf(keys.ring), (name, capability) =>
    remember(`served ${name}`, [capability], () => servedText(name, capability)),
  )
  await mkdir(folder, { recursive: true })
  const issued = sourceDate(now)
  const wasSigned = await isThere(join(folder, PUBLISHED.signature))
  if (keys !== undefined) await writeJwks(folder, await jwksByJose(jwksOf(keys.ring, issued)))
  const list = await digestsOf(folder)
  const before = keys === undefined || wasSigned ? publishedBefore(folder, list, now) : undefined
  if (before !== undefined && publisher.says(before.text, before.times, before.sha256))
    return { total: names.length, changed: [], removed: [], isSigned: wasSigned }
  const times = { issued_at: timeText(issued), expires_at: timeText(issued + VALIDITY) }
  await replaceFile(join(folder, DIGESTS), list.text)
  await writePublished(folder, publisher.publish({ ...times, 'x-digests-sha256': list.sha256 }).bytes, keys?.privateJwk)
  const removed = keys === undefined && wasSigned ? [PUBLISHED.signature] : []
  return { total: names.length, changed: names, removed, isSigned: keys !== undefined }
}

interface ManifestKeys {
  readonly ring: KeyRing
  readonly privateJwk: PrivateJwk
}

async function keysOf(root: string, now: number): Promise<ManifestKeys | undefined> {
  const stored = await explained(readStoredKeyFiles(keysFolder(root)))
  const ring = ringAt(stored, now)
  return ring.keys.some(signsManifests) ? { ring, privateJwk: activeManifestKey(stored, ring) } : undefined
}

const signsManifests = ({ role, state, signer }: RingKey): boolean =>
  role === 'manifest' && state === 'active' && signer !== undefined

const isThere = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined)) !== undefined
