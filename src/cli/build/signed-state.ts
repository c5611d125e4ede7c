/** State of the previously published manifest, by bytes and digests: a build does not parse it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '../../crypto/json/digest.js'
import { parseStrictJson } from '../../crypto/json/strict-json.js'
import { verifyDetached } from '../../crypto/jws/jws.js'
import { claimedKid } from '../../crypto/jws/published-manifest.js'
import { readJwks } from '../../crypto/keys/jwk.js'
import { ringKeysOf } from '../../crypto/keys/key-ring.js'
import type { Publication } from '../../protocol/served-manifest.js'
import { DIGESTS, PUBLISHED, type DigestList } from '../../runtime/keys/dist-digests.js'
import { isDated, sourceDate } from '../publishing/source-date.js'

/** The published manifest of a folder, and its statements about itself. */
export interface PublishedBefore {
  readonly text: string
  readonly times: Publication
  readonly sha256: string
}

/**
 * Returns the manifest that was published with these files, if nobody changed it, the list or the signature since, and
 * half of its time is not over; undefined where it must be published again.
 */
export function publishedBefore(dist: string, list: DigestList, now: number): PublishedBefore | undefined {
  const bytes = bytesOf(dist, PUBLISHED.manifest)
  const text = bytes.toString()
  const [, expires_at = '', issued_at = '', sha256 = ''] = METADATA.exec(text) ?? []
  const isFresh = isDated()
    ? issued_at === timeText(sourceDate(now))
    : 2 * now <= Date.parse(issued_at) + Date.parse(expires_at)
  const isIntact =
    isFresh &&
    text.includes(`"x-digests-sha256":"${list.sha256}"`) &&
    sha256Hex(text.replace(DIGEST, '$1')) === sha256 &&
    Buffer.from(text).equals(bytes) &&
    bytesOf(dist, DIGESTS).equals(Buffer.from(list.text)) &&
    !hasWrongSignature(dist, bytes)
  return isIntact ? { text, times: { issued_at, expires_at, 'x-digests-sha256': list.sha256 }, sha256 } : undefined
}

const METADATA = /"expires_at":"([^"]+)","issued_at":"([^"]+)","sha256":"([^"]+)"/u
/** The member that its own digest is made without. */
const DIGEST = /("expires_at":"[^"]+","issued_at":"[^"]+",)"sha256":"[^"]+",/u

/** Whole seconds, as RFC 3339. */
export const timeText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`

/** Holds for a signature that is none, or not of the bytes. One by a key that is not beside it cannot be judged. */
function hasWrongSignature(dist: string, manifest: Buffer): boolean {
  if (!existsSync(join(dist, PUBLISHED.signature))) return false
  const jws = bytesOf(dist, PUBLISHED.signature).toString('latin1').trim()
  const kid = claimedKid(jws)
  const json = parseStrictJson(bytesOf(dist, PUBLISHED.jwks))
  const keys = json.ok ? readJwks(json.value) : []
  if (kid === undefined || typeof keys === 'string') return true
  return (
    keys.some((key) => key.kid === kid) && verifyDetached(jws, manifest, ringKeysOf(keys, 'manifest')) === undefined
  )
}

function bytesOf(dist: string, name: string): Buffer {
  try {
    return readFileSync(join(dist, name))
  } catch {
    return Buffer.alloc(0)
  }
}
