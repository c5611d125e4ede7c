/** Judges a manifest that was signed elsewhere, before it is served (decisions, section 22). */
import { MAX_DEPTH } from '../../crypto/json/canonical.js'
import { isRecord } from '../../crypto/json/kinds.js'
import { parseStrictJson } from '../../crypto/json/strict-json.js'
import { claimedKid, publisherOf, timeOf, verifyManifest } from '../../crypto/jws/published-manifest.js'
import { verificationKeys, type KeyRing } from '../../crypto/keys/key-ring.js'
import { readPublishedKeys } from '../../crypto/keys/published-keys.js'
import type { JsonObject, Manifest } from '../../protocol/manifest.js'
import type { PublishedManifest } from './published-documents.js'

/** The statements of a published manifest about itself that a start judges. */
export interface Stated {
  /** ms since the epoch; NaN where it is no time. */
  readonly issuedAt: number
  readonly digests?: string
}

export function publicationOf({ bytes }: PublishedManifest): Stated {
  const metadata = documentIn(bytes)?.['manifest_metadata']
  const { issued_at, 'x-digests-sha256': digests } = isRecord(metadata) ? metadata : {}
  return { issuedAt: timeOf(String(issued_at)), ...(typeof digests === 'string' && { digests }) }
}

/**
 * Full sentences for what keeps a service from serving a published manifest: it is expired, not signed by a key that
 * the service publishes, or not the manifest of this build.
 */
export function publishedTrouble(
  published: PublishedManifest,
  ring: KeyRing,
  manifest: Manifest,
  now: number,
): readonly string[] {
  const keys = verificationKeys(ring, 'manifest', now)
  const { findings, kid, document } = verifyManifest(published.bytes, published.signature, keys, now)
  const unpublished = kid === undefined ? unpublishedKey(published, ring, now) : []
  const others = findings.filter(({ part }) => unpublished.length === 0 || part !== 'signature')
  return [
    ...unpublished,
    ...others.map(({ message }) => `The published manifest: ${message} Sign it again: svc sign`),
    ...(findings.length === 0 && !isOf(manifest, published.bytes, document) ? [ANOTHER] : []),
  ]
}

const ANOTHER =
  'The published manifest is not the manifest of this build: the server would enforce other rules than it states. ' +
  'Build and sign together: svc build, then svc sign'

/** Says that the service does not publish the key that signed the manifest, so that nobody could verify it. */
export function unpublishedKey({ signature }: PublishedManifest, ring: KeyRing, now: number): readonly string[] {
  const kid = claimedKid(signature)
  if (kid === undefined || verificationKeys(ring, 'manifest', now).some((key) => key.kid === kid)) return []
  return [
    `The published manifest is signed by the key ${kid}, which this service does not publish, so nobody could verify ` +
      'it. Add its public half: svc keys generate --role manifest --public-key <file>',
  ]
}

/** Holds when the bytes are this manifest, published at the times and with the keys that they state. */
function isOf(manifest: Manifest, bytes: Uint8Array, document: JsonObject | undefined): boolean {
  const metadata = document?.['manifest_metadata'] as JsonObject
  const { issued_at, expires_at, sha256, 'x-digests-sha256': digests } = metadata
  const publication = {
    issued_at: String(issued_at),
    expires_at: String(expires_at),
    ...(typeof digests === 'string' && { 'x-digests-sha256': digests }),
  }
  return publisherOf(manifest, readPublishedKeys(document!)).says(
    new TextDecoder().decode(bytes),
    publication,
    String(sha256),
  )
}

function documentIn(bytes: Uint8Array): JsonObject | undefined {
  const json = parseStrictJson(bytes, { maxDepth: MAX_DEPTH })
  return json.ok && isRecord(json.value) ? json.value : undefined
}
