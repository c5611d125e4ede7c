import type { Capability, Json, JsonObject, Manifest } from '../../protocol/manifest.js'
import type { PublishedKeys } from '../../protocol/published-keys.js'
import { servedCapability, servedHead, servedManifest, type Publication } from '../../protocol/served-manifest.js'
import { canonicalBytes, canonicalObject, canonicalText, MAX_DEPTH } from '../json/canonical.js'
import { sha256Hex } from '../json/digest.js'
import { toolsText } from '../json/tools-text.js'
import { objectIn } from './jws-header.js'
import { verifyDetached, type VerifyDetached } from './jws.js'
import type { RingKey } from '../keys/key-ring.js'
import { parseStrictJson } from '../json/strict-json.js'
import { isRecord } from '../json/kinds.js'

export interface CanonicalManifest {
  /** The canonical bytes: what is served, and what the signature is over. */
  readonly bytes: Uint8Array
  /** Lower-case hex; the value of `manifest_metadata.sha256`. */
  readonly sha256: string
  readonly document: JsonObject
}

type Published = Omit<CanonicalManifest, 'document'> & { readonly metadata: JsonObject }

/** Publishes a manifest at different times. */
export interface Publisher {
  readonly publish: (times: Publication) => Published
  /**
   * Checks whether a text is this manifest, published at these times with this digest; a text of another is not
   * hashed.
   */
  readonly says: (text: string, times: Publication, sha256: string) => boolean
}

/** The manifest as it is published: served form, digest filled in, canonical bytes (section 2.3). */
export function publishManifest(manifest: Manifest, times: Publication, keys?: PublishedKeys): CanonicalManifest {
  const { metadata, ...published } = publisherOf(manifest, keys).publish(times)
  return { ...published, document: { ...servedManifest(manifest, times, keys), manifest_metadata: metadata } }
}

/** The canonical text of a capability as it is served. */
export type CapabilityText = (name: string, capability: Capability) => string

export const servedText: CapabilityText = (_, capability) => canonicalText(servedCapability(capability))

/**
 * Publishes one manifest at different times: the canonical form of what does not depend on them is made once. Who
 * publishes again and again may remember the texts of capabilities. The digest of its tools is in it, whatever its
 * source says.
 */
export function publisherOf(manifest: Manifest, keys?: PublishedKeys, textOf: CapabilityText = servedText): Publisher {
  const { manifest_metadata, ...rest } = servedHead(manifest, { issued_at: '', expires_at: '' }, keys)
  const named = Object.entries(manifest.capabilities).map(([name, each]) => [name, textOf(name, each)] as const)
  const texts = new Map(Object.entries(rest).map(([name, value]) => [name, canonicalText(value)]))
  texts.set('capabilities', canonicalObject(new Map(named)))
  const textWith = (metadata: JsonObject): string =>
    canonicalObject(new Map([...texts, ['manifest_metadata', canonicalText(metadata)]]))
  const tools = { 'x-tools-sha256': sha256Hex(toolsText(manifest).whole) }
  const metadataAt = (times: Publication): JsonObject => ({
    ...(manifest_metadata as JsonObject),
    ...times,
    ...tools,
  })
  const publish = (times: Publication): Published => {
    const metadata = metadataAt(times)
    const sha256 = sha256Hex(textWith(metadata))
    const published = { ...metadata, sha256 }
    return { bytes: new TextEncoder().encode(textWith(published)), sha256, metadata: published }
  }
  const says = (text: string, times: Publication, sha256: string): boolean =>
    text === textWith({ ...metadataAt(times), sha256 }) && sha256 === sha256Hex(textWith(metadataAt(times)))
  return { publish, says }
}

/** Lower-case hex SHA-256 over the canonical form of a manifest without its `manifest_metadata.sha256`. */
export function manifestDigest(document: JsonObject): string {
  const { sha256: _, ...metadata } = document['manifest_metadata'] as JsonObject
  return sha256Hex(canonicalBytes({ ...document, manifest_metadata: metadata }))
}

/** One thing that is wrong with a published manifest. */
export interface ManifestFinding {
  readonly part: 'form' | 'digest' | 'signature' | 'expiry'
  /** A full sentence. */
  readonly message: string
}

export interface AuthenticManifest {
  /** Empty when everything holds. */
  readonly findings: readonly ManifestFinding[]
  /** The key that signed these bytes, if one of the given keys did. */
  readonly kid?: string
  readonly document?: JsonObject
}

/**
 * Verifies a published manifest: canonical bytes, digest, detached signature by one of the keys, and expiry at `now`
 * (ms). Says everything that is wrong; never throws.
 */
export function verifyManifest(
  bytes: Uint8Array,
  jws: string,
  keys: readonly RingKey[],
  now: number,
  verify: VerifyDetached = verifyDetached,
): AuthenticManifest {
  const signed = verify(jws, bytes, keys)
  const json = parseStrictJson(bytes, { maxDepth: MAX_DEPTH })
  const findings: ManifestFinding[] = []
  if (signed === undefined) findings.push({ part: 'signature', message: signatureTrouble(jws, keys) })
  if (!json.ok || !isManifest(json.value))
    return {
      findings: [...findings, { part: 'form', message: json.ok ? 'The file is not a manifest.' : json.reason }],
      ...signed,
    }
  const document = json.value
  if (!isCanonical(bytes, document))
    findings.push({ part: 'form', message: 'The bytes are not the canonical form (RFC 8785) of their content.' })
  findings.push(...digestTrouble(document), ...expiryTrouble(document, now))
  return { findings, document, ...signed }
}

type ManifestDocument = JsonObject & { readonly manifest_metadata: JsonObject }

const isManifest = (value: Json): value is ManifestDocument => isRecord(value) && isRecord(value['manifest_metadata'])
const isCanonical = (bytes: Uint8Array, document: JsonObject): boolean =>
  Buffer.compare(canonicalBytes(document), bytes) === 0

function digestTrouble(document: ManifestDocument): readonly ManifestFinding[] {
  const stated = document.manifest_metadata['sha256']
  const actual = manifestDigest(document)
  if (stated === actual) return []
  const said =
    stated === undefined ? 'is missing' : `says ${typeof stated === 'string' ? stated : canonicalText(stated)}`
  const message = `manifest_metadata.sha256 ${said}, but the content has ${actual}.`
  return [{ part: 'digest', message }]
}

const RFC3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/u

/**
 * A time in the form of RFC 3339, ms since the epoch; NaN for every other, and for a day or an hour that does not
 * exist.
 */
export function timeOf(text: string): number {
  const [, local] = RFC3339.exec(text) ?? []
  // `Date` takes the thirtieth of February for a day in March.
  const exists = local !== undefined && new Date(`${local}Z`).toJSON()?.startsWith(local) === true
  return exists ? Date.parse(text) : Number.NaN
}

function expiryTrouble({ manifest_metadata }: ManifestDocument, now: number): readonly ManifestFinding[] {
  const expiresAt = manifest_metadata['expires_at']
  const expiry = typeof expiresAt === 'string' ? timeOf(expiresAt) : Number.NaN
  if (Number.isNaN(expiry)) return [{ part: 'expiry', message: 'manifest_metadata.expires_at is missing or no time.' }]
  return expiry > now ? [] : [{ part: 'expiry', message: `The manifest expired at ${expiresAt}.` }]
}

function signatureTrouble(jws: string, keys: readonly RingKey[]): string {
  const kid = claimedKid(jws)
  if (kid === undefined) return 'The signature is not a detached ES256 JWS (header..signature).'
  if (!keys.some((key) => key.kid === kid))
    return `The signature names the key ${kid}, which is not among the given keys.`
  return `The signature is not one of these bytes by the key ${kid}: the manifest or its signature was changed.`
}

/** The key that a detached signature names, unverified; undefined for what is none. */
export function claimedKid(jws: string): string | undefined {
  const [header = '', attached] = jws.split('.')
  const kid = objectIn(header)?.['kid']
  return attached === '' && typeof kid === 'string' ? kid : undefined
}
