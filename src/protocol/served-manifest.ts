import type { Capability, JsonObject, Manifest } from './manifest.js'
import type { PublishedKeys } from './published-keys.js'

/** Metadata of one publication of a manifest (section 9.4). */
export interface Publication {
  /** RFC 3339. */
  readonly issued_at: string
  /** Until when consumers may cache it; RFC 3339. */
  readonly expires_at: string
  /** Digest of `digests.json`, where it is published with the files of a build. */
  readonly 'x-digests-sha256'?: string
}

/**
 * The manifest as it is served, without its `sha256` (section 2.3): author-only members are left out, output fields are
 * names, extensions stand where the author wrote them. It validates as a source manifest, too. Which class of callers
 * may read how much is for nobody to know: discovery names the classes only.
 */
export function servedManifest(manifest: Manifest, times: Publication, keys?: PublishedKeys): JsonObject {
  const capabilities = Object.entries(manifest.capabilities)
  return {
    ...servedHead(manifest, times, keys),
    capabilities: Object.fromEntries(capabilities.map(([name, capability]) => [name, servedCapability(capability)])),
  }
}

/** All of it but the capabilities. What a source says of keys is replaced. */
export function servedHead(manifest: Manifest, times: Publication, keys?: PublishedKeys): JsonObject {
  const { manifest_metadata, service_identity, trust, extensions } = manifest
  return withoutUndefined({
    manifest_metadata: { version: manifest_metadata.version, ...extensionsIn(manifest_metadata), ...times },
    service_identity: {
      id: service_identity.id,
      ...extensionsIn(service_identity),
      jwks_uri: '/.well-known/jwks.json',
      issuer_mode: 'self',
      'x-keys': keys,
    },
    trust,
    ...extensions,
  })
}

/** One capability as it is served. */
export const servedCapability = ({ output, extensions, ...capability }: Capability): JsonObject =>
  withoutUndefined({
    ...capability,
    output: { type: output.type, fields: output.fields.map((field) => field.name), ...extensionsIn(output) },
    ...extensions,
  })

/** Members that the tools write into a published manifest; values in a source are never kept. */
const OF_THE_TOOLS = ['x-keys', 'x-tools-sha256', 'x-digests-sha256']

const extensionsIn = (part: object): object =>
  Object.fromEntries(Object.entries(part).filter(([name]) => name.startsWith('x-') && !OF_THE_TOOLS.includes(name)))

const withoutUndefined = (value: object): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject
