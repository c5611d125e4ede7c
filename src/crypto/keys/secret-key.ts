/**
 * Secret keys of the ring (decisions, section 20): 32 random bytes with a random id, never published, shared by all
 * replicas.
 */
import { randomBytes } from 'node:crypto'
import type { Json, JsonObject } from '../../protocol/manifest.js'
import { SECRET_ROLES, type KeyState, type SecretRole } from '../../protocol/words.js'
import { decodeBase64url, encodeBase64url } from '../json/base64url.js'
import { isRecord } from '../json/kinds.js'
import { parseStrictJson } from '../json/strict-json.js'
import { stateAt, stampsOf, timesIn, type KeyTimes } from './key-times.js'

/** A secret as it is kept: a JWK of the type `oct` (RFC 7518, section 6.4) with its role and times. */
export interface StoredSecret extends KeyTimes {
  readonly kid: string
  readonly role: SecretRole
  /** Removed when the secret is retired; its times stay, as they say since when rows are authenticated. */
  readonly secret?: Uint8Array
}

/** A secret of a ring, at the time that the ring is of. */
export interface RingSecret {
  readonly kid: string
  readonly role: SecretRole
  readonly state: KeyState
  readonly secret?: Uint8Array
  /** ms since the epoch. */
  readonly createdAt: number
  /** ms since the epoch until which rows of an earlier version are authenticated by it; without it, none are. */
  readonly earlierRowsUntil?: number
}

const SECRET_BYTES = 32
const KID = /^[\w-]{8,64}$/u

/** Returns a new secret that is active from its creation (ms) on. */
export const generateSecret = (role: SecretRole, now: number) => ({
  kid: randomBytes(16).toString('hex'),
  role,
  secret: randomBytes(SECRET_BYTES),
  createdAt: now,
  activeFrom: now,
})

/** Time in which a service is to be started with a new secret on a database of an earlier version. */
const UPGRADE_MS = 7 * 24 * 3600_000

/** Returns a secret for a ring of an earlier version, which had none: rows of before are authenticated by it for a week. */
export const withEarlierRows = <Secret extends KeyTimes>(secret: Secret): Secret => ({
  ...secret,
  earlierRowsUntil: secret.createdAt + UPGRADE_MS,
})

/** Returns the secrets as they are at a time (ms), the newest first. */
export const ringSecretsAt = (stored: readonly StoredSecret[], now: number): readonly RingSecret[] =>
  [...stored]
    .sort((one, other) => (other.activeFrom ?? 0) - (one.activeFrom ?? 0) || (one.kid < other.kid ? -1 : 1))
    .map(({ kid, role, secret, ...times }) => ({
      kid,
      role,
      createdAt: times.createdAt,
      ...(times.earlierRowsUntil !== undefined && { earlierRowsUntil: times.earlierRowsUntil }),
      state: stateAt(times, now),
      ...(secret !== undefined && { secret }),
    }))

/** Returns a new secret that lives in this process only, as tests and throw-away services need it. */
export const generateRingSecret = (role: SecretRole): RingSecret => ringSecretsAt([generateSecret(role, 0)], 0)[0]!

/** Returns the JSON text of a secret, as a file holds it. */
export const writeStoredSecret = ({ kid, role, secret, ...times }: StoredSecret): string =>
  `${JSON.stringify({ kty: 'oct', ...(secret && { k: encodeBase64url(secret) }), kid, svc_role: role, ...stampsOf(times) }, undefined, 2)}\n`

/** Returns a secret from JSON text, or the reason why it is none. */
export function readStoredSecret(text: Uint8Array | string): StoredSecret | string {
  const json = parseStrictJson(text)
  return json.ok ? storedSecretIn(json.value) : json.reason
}

/** Holds for a JSON value that claims to be a secret key. */
export const isSecretJwk = (value: Json | undefined): value is JsonObject => isRecord(value) && value['kty'] === 'oct'

/** Returns a secret from a JSON value, or the reason why it is none. */
export function storedSecretIn(value: Json | undefined): StoredSecret | string {
  if (!isSecretJwk(value)) return 'A secret key must be an object with kty "oct".'
  const { k, kid, svc_role } = value
  const role = SECRET_ROLES.find((word) => word === svc_role)
  if (role === undefined) return `svc_role must be one of ${SECRET_ROLES.join(', ')}.`
  const secret = typeof k === 'string' ? decodeBase64url(k) : undefined
  if (k !== undefined && secret?.length !== SECRET_BYTES)
    return `The member k must be ${SECRET_BYTES} bytes as base64url.`
  if (typeof kid !== 'string' || !KID.test(kid)) return 'The kid must be 8 to 64 letters, digits, _ or -.'
  const times = timesIn(value)
  return typeof times === 'string'
    ? times
    : { kid, role, createdAt: 0, ...times, ...(secret !== undefined && { secret }) }
}
