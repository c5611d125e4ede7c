import type { JsonObject, Manifest } from '../protocol/manifest.js'
import { servedManifest, type PublicationTimes } from '../protocol/served-manifest.js'
import { canonicalBytes, canonicalText } from './canonical.js'
import { sha256Hex } from './digest.js'

export interface PublishedManifest {
  /** The canonical bytes that are served and signed. */
  readonly bytes: Uint8Array
  /** Lower-case hex over the canonical form without this one member. */
  readonly sha256: string
  readonly document: JsonObject
}

/** The manifest as it is published: the served form with its digest, in canonical bytes (section 2.3). */
export function publishManifest(manifest: Manifest, times: PublicationTimes): PublishedManifest {
  const served = servedManifest(manifest, times)
  const sha256 = manifestDigest(served)
  const document = { ...served, manifest_metadata: { ...(served['manifest_metadata'] as JsonObject), sha256 } }
  return { bytes: canonicalBytes(document), sha256, document }
}

/** The digest that covers everything in a manifest but the digest itself. */
export function manifestDigest(document: JsonObject): string {
  const { sha256: _digest, ...metadata } = document['manifest_metadata'] as JsonObject
  return sha256Hex(canonicalText({ ...document, manifest_metadata: metadata }))
}
