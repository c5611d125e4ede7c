import { isRecord } from '../../crypto/json/kinds.js'
import { readFile } from 'node:fs/promises'
import { sha256Hex } from '../../crypto/json/digest.js'
import { signDetached } from '../../crypto/jws/jws.js'
import { jwksOf, signerFor, type KeyRing } from '../../crypto/keys/key-ring.js'
import { publishedKeysOf } from '../../crypto/keys/published-keys.js'
import { parseStrictJson } from '../../crypto/json/strict-json.js'
import { toolsText } from '../../crypto/json/tools-text.js'
import { publishManifest } from '../../crypto/jws/published-manifest.js'
import { DISCOVERY_TTL_S, discoveryOf } from '../../protocol/discovery.js'
import type { Manifest } from '../../protocol/manifest.js'

import { timestamp } from '../json/timestamp.js'

/** A document served as the very same bytes until it changes. */
export interface Document {
  readonly bytes: Uint8Array
  readonly etag: string
  /** Seconds that caches may keep it. */
  readonly maxAge: number
  /** Detached JWS over the bytes, for the manifest. */
  readonly signature?: string
  /** ms since the epoch, where it ends. */
  readonly expiresAt?: number
  /** Holds for what a caller was shown by its credential: no cache between keeps it, and it is asked for each time. */
  readonly isPrivate?: true
}

/** A manifest that was published elsewhere, where the publishing key is offline. */
export interface PublishedManifest {
  readonly bytes: Uint8Array
  readonly signature: string
  /** The folder of the build, whose files are held to the signed list, where the manifest states one. */
  readonly folder?: string
}

/** The documents that anyone may read (sections 2.1 to 2.3), made once and served as bytes. */
export interface Documents {
  /** With the paths of endpoints below a base path. */
  discovery(base?: string): Document
  jwks(): Document
  manifest(): Promise<Document>
  tools(): Document
  /** Undefined where there is no such file. */
  openapi(): Promise<Document | undefined>
}

interface Source {
  readonly manifest: Manifest
  readonly ring: () => KeyRing
  readonly now: () => number
  readonly lifetimeMs: number
  readonly published: PublishedManifest | undefined
  /** Location of the OpenAPI document, if there is one. */
  readonly openapi?: URL | undefined
}

export async function documentsOf(source: Source): Promise<Documents> {
  let manifest = await manifestDocument(source)
  let renewal: Promise<Manifested> | undefined
  const jwks = jwksDocuments(source)
  let tools: Document | undefined
  return {
    discovery: discoveryDocuments(source),
    jwks,
    tools: () => (tools ??= documentOf(new TextEncoder().encode(toolsText(source.manifest).whole), 300)),
    openapi: openapiDocument(source.openapi),
    manifest: async () => {
      if (!isDue(manifest, source)) return manifest
      renewal ??= manifestDocument(source).finally(() => (renewal = undefined))
      const kept = manifest
      manifest = await renewal.catch((error: unknown) => stillValid(kept, source, error))
      return manifest
    },
  }
}

/** A manifest that could not be re-issued is served until it ends; the next request tries again. */
function stillValid(manifest: Manifested, { now }: Source, error: unknown): Manifested {
  if (manifest.expiresAt !== undefined && now() < manifest.expiresAt) return manifest
  throw error
}

/**
 * A manifest is re-issued when half of its life is over, so that nobody is ever served an expired one; and when keys
 * change.
 */
const isDue = ({ expiresAt, keys }: Manifested, { ring, now, lifetimeMs, published }: Source): boolean =>
  published === undefined &&
  ((expiresAt !== undefined && now() >= expiresAt - lifetimeMs / 2) || keys !== keysText(ring()))

/** The manifest as a document, and the keys that it lists, where it was made here. */
type Manifested = Document & { readonly keys?: string }

/** Made once for each ring, of which there is one until it is read anew. */
const texts = new WeakMap<KeyRing, string>()
function keysText(ring: KeyRing): string {
  const text = texts.get(ring) ?? JSON.stringify(publishedKeysOf(ring))
  texts.set(ring, text)
  return text
}

async function manifestDocument({ manifest, ring, now, lifetimeMs, published }: Source): Promise<Manifested> {
  if (published !== undefined) return publishedDocument(published)
  const issued = now()
  const expiresAt = issued + lifetimeMs
  const held = ring()
  const times = { issued_at: timestamp(issued), expires_at: timestamp(expiresAt) }
  const { bytes } = publishManifest(manifest, times, publishedKeysOf(held))
  const signature = await signDetached(signerFor(held, 'manifest'), bytes)
  return { ...documentOf(bytes, 300), signature, expiresAt, keys: keysText(held) }
}

/** Serves an externally published document unchanged, even after its expiry: health reports that (section 9.4). */
function publishedDocument({ bytes, signature }: PublishedManifest): Document {
  const parsed = parseStrictJson(bytes)
  const metadata = parsed.ok && isRecord(parsed.value) ? parsed.value['manifest_metadata'] : undefined
  const expires = isRecord(metadata) ? Date.parse(String(metadata['expires_at'])) : Number.NaN
  return { ...documentOf(bytes, 300), signature, ...(Number.isNaN(expires) ? {} : { expiresAt: expires }) }
}

/** A service has one base path, from when it is served. */
function discoveryDocuments({ manifest }: Source): Documents['discovery'] {
  const made = (base: string) => ({
    base,
    document: documentOf(encode(discoveryOf(manifest, base)), DISCOVERY_TTL_S),
  })
  let last = made('')
  return (base = '') => {
    if (last.base !== base) last = made(base)
    return last.document
  }
}

const JWKS_MAX_AGE_S = 60

/**
 * The JWKS of the ring as it is now: made anew when the ring was replaced, and every minute, because retired keys
 * lapse.
 */
function jwksDocuments({ ring, now }: Source): () => Document {
  let made: { readonly ring: KeyRing; readonly at: number; readonly document: Document } | undefined
  return () => {
    if (made === undefined || made.ring !== ring() || now() - made.at >= JWKS_MAX_AGE_S * 1000 || now() < made.at)
      made = { ring: ring(), at: now(), document: documentOf(encode(jwksOf(ring(), now())), JWKS_MAX_AGE_S) }
    return made.document
  }
}

/** Read when it is first asked for: a service starts no slower for it. Absent ones are looked for again. */
function openapiDocument(place: URL | undefined): () => Promise<Document | undefined> {
  let read: Document | undefined
  return async () => {
    if (read !== undefined || place === undefined) return read
    const bytes = await readFile(place).catch(() => undefined)
    return bytes === undefined ? undefined : (read = documentOf(bytes, 300))
  }
}

const documentOf = (bytes: Uint8Array, maxAge: number): Document => ({ bytes, maxAge, etag: `"${sha256Hex(bytes)}"` })

const encode = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value))
