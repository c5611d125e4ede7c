/** Verifies the owner of the keys that an artefact is verified with (decisions, section 14: Roles of keys). */
import { timeOf, verifyManifest } from '../../crypto/jws/published-manifest.js'
import { ringKeysOf, type RingKey } from '../../crypto/keys/key-ring.js'
import { keysOfRole, readPublishedKeys } from '../../crypto/keys/published-keys.js'
import type { PublicJwk } from '../../protocol/jwk.js'
import type { JsonObject } from '../../protocol/manifest.js'
import type { PublishedKeys } from '../../protocol/published-keys.js'
import type { KeyRole } from '../../protocol/words.js'
import type { VerifyDetached } from '../../crypto/jws/jws.js'
import { CliError } from '../shared/errors/cli-error.js'
import { readArtefact } from './read.js'

export interface OriginOptions {
  readonly jwks: string
  readonly manifest?: string
  readonly manifestKid?: readonly string[]
  readonly at?: string
}

export interface Origin {
  /** The keys that verify what a role signs. */
  readonly keysOf: (role: KeyRole) => readonly RingKey[]
  /** The service that the manifest is of, where it is verified. */
  readonly serviceId?: string
  /** Reasons why the origin is not verified, as full sentences; empty if it is. */
  readonly findings: readonly string[]
}

export const UNVERIFIED =
  'Origin unverified: nothing says whose keys these are, and for what. Name the key that signs the manifest, as ' +
  'its operator prints it with `svc keys list --role manifest` (--manifest-kid), and the manifest (--manifest).'

export const UNVERIFIED_MANIFEST =
  'Origin unverified: nothing says whose key signed it. Name that key, as its operator prints it with `svc keys ' +
  'list --role manifest` (--manifest-kid).'

/** The time at which a manifest is judged, ms since the epoch. */
export function timeOfOption({ at }: Pick<OriginOptions, 'at'>): number {
  const time = at === undefined ? Date.now() : timeOf(at)
  if (Number.isNaN(time)) throw new CliError(`--at ${at} is no time such as 2030-01-01T00:00:00Z.`)
  return time
}

/** Of public keys those that the user knows to sign manifests. */
export const pinned = (jwks: readonly PublicJwk[], kids: readonly string[]): readonly RingKey[] =>
  ringKeysOf(
    jwks.filter(({ kid }) => kids.includes(kid)),
    'manifest',
  )

/**
 * Reads the roles of keys from the manifest, which a key signs that is known from elsewhere; never from what is judged.
 */
export async function originFor(
  jwks: readonly PublicJwk[],
  options: OriginOptions,
  verify: VerifyDetached,
): Promise<Origin> {
  const { manifest, manifestKid = [] } = options
  if (manifest === undefined || manifestKid.length === 0)
    return { keysOf: (role) => ringKeysOf(jwks, role), findings: [UNVERIFIED] }
  const bytes = await readArtefact(manifest)
  const signature = Buffer.from(await readArtefact(signatureBeside(manifest))).toString('latin1').trim() // prettier-ignore
  const keys = pinned(jwks, manifestKid)
  const { findings, kid, document } = verifyManifest(bytes, signature, keys, timeOfOption(options), verify)
  const roles = document === undefined ? undefined : readPublishedKeys(document)
  const troubles = [...findings.map(({ message }) => message), ...rolesTrouble(kid, roles)]
  if (troubles.length > 0 || roles === undefined)
    return { keysOf: () => [], findings: troubles.map((message) => `--manifest ${manifest}: ${message}`) }
  return { keysOf: (role) => keysOfRole(jwks, roles, role), serviceId: serviceIn(document!), findings: [] }
}

export const signatureBeside = (file: string): string =>
  file.endsWith('.json') ? file.replace(/json$/u, 'jws') : `${file}.jws`

/** A manifest that lists keys lists its own as one that signs manifests. */
export function rolesTrouble(kid: string | undefined, roles: PublishedKeys | undefined): readonly string[] {
  if (roles === undefined) return ['The manifest does not list keys (service_identity.x-keys). Have it signed again.']
  if (kid === undefined || (Object.hasOwn(roles, kid) && roles[kid]!.role === 'manifest')) return []
  return [`The manifest does not list the key ${kid}, which signed it, as one that signs manifests.`]
}

const serviceIn = (document: JsonObject): string =>
  String((document['service_identity'] as JsonObject | undefined)?.['id'])
