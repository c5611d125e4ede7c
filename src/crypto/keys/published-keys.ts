/**
 * The roles of keys as the signed manifest publishes them, and as a verifier reads them (decisions, section 14: Roles
 * of keys).
 */
import type { PublicJwk } from '../../protocol/jwk.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'
import type { PublishedKey, PublishedKeys } from '../../protocol/published-keys.js'
import { KEY_ROLES, type KeyRole } from '../../protocol/words.js'
import type { KeyRing, RingKey } from './key-ring.js'
import { readLastCheckpoint } from './last-checkpoint.js'

/** Every key of a ring, in the order of their ids: next, active and retired ones. */
export function publishedKeysOf({ keys }: KeyRing): PublishedKeys {
  const sorted = keys.toSorted((one, other) => (one.kid < other.kid ? -1 : 1))
  return Object.fromEntries(sorted.map((key) => [key.kid, published(key)]))
}

const published = ({ role, retiredFrom, untilCheckpoint }: RingKey): PublishedKey => ({
  role,
  ...(untilCheckpoint !== undefined && { until_checkpoint: untilCheckpoint }),
  ...(retiredFrom !== undefined && { retired_from: new Date(retiredFrom).toISOString() }),
})

/** `service_identity.x-keys` of a manifest; undefined where there is none, or it is not what it must be. */
export function readPublishedKeys(document: JsonObject): PublishedKeys | undefined {
  const identity = document['service_identity']
  const listed = isRecord(identity) ? identity['x-keys'] : undefined
  if (!isRecord(listed)) return undefined
  return Object.values(listed).every(isPublished) ? (listed as unknown as PublishedKeys) : undefined
}

const isPublished = (value: Json): boolean =>
  isRecord(value) &&
  KEY_ROLES.some((role) => role === value['role']) &&
  (value['until_checkpoint'] === undefined || readLastCheckpoint(value['until_checkpoint']) !== undefined) &&
  (value['retired_from'] === undefined || !Number.isNaN(Date.parse(String(value['retired_from']))))

/** Of public keys those to which a manifest gives a role, with the time from which they sign no more. */
export function keysOfRole(jwks: readonly PublicJwk[], roles: PublishedKeys, role: KeyRole): readonly RingKey[] {
  return jwks.flatMap((publicJwk): readonly RingKey[] => {
    const key = Object.hasOwn(roles, publicJwk.kid) ? roles[publicJwk.kid] : undefined
    if (key?.role !== role) return []
    const { retired_from, until_checkpoint } = key
    const known = {
      kid: publicJwk.kid,
      role,
      publicJwk,
      ...(until_checkpoint !== undefined && { untilCheckpoint: until_checkpoint }),
    }
    if (retired_from === undefined) return [{ ...known, state: 'active' }]
    return [{ ...known, state: 'retired', retiredFrom: Date.parse(retired_from) }]
  })
}

/**
 * Returns why a dated artefact cannot belong to a key that was retired before; undefined if it can. An invalid time
 * counts as later than any.
 */
export function datedAfterRetirement(kid: string, dated: string, keys: readonly RingKey[]): string | undefined {
  const { retiredFrom } = keys.find((key) => key.kid === kid) ?? {}
  if (retiredFrom === undefined || Date.parse(dated) <= retiredFrom) return undefined
  return `The key ${kid} was retired at ${new Date(retiredFrom).toISOString()}, but this is dated ${dated}.`
}

const isRecord = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
