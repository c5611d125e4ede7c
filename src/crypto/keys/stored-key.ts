/**
 * A key as it is kept: a JWK (RFC 7517) with its role and the times at which it changes state. The state follows from
 * the clock, so that a rotation is written once, ahead of time, and all replicas agree on it.
 */
import type { PrivateJwk, PublicJwk } from '../../protocol/jwk.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'
import type { LastCheckpoint } from '../../protocol/published-keys.js'
import { KEY_ROLES, type KeyRole } from '../../protocol/words.js'
import { publicJwkOf, readPrivateJwk, readPublicJwk } from './jwk.js'
import type { KeyRing, RingKey } from './key-ring.js'
import { signerFromJwk } from './signer.js'
import { parseStrictJson } from '../json/strict-json.js'
import { isRecord } from '../json/kinds.js'
import { stampsOf, stateAt, timesIn, type KeyTimes } from './key-times.js'
import { readLastCheckpoint } from './last-checkpoint.js'
import { isSecretJwk, storedSecretIn, type StoredSecret } from './secret-key.js'

export { stateAt }

export interface StoredKey extends KeyTimes {
  readonly publicJwk: PublicJwk
  /** Absent when only the public half is kept here. */
  readonly privateJwk?: PrivateJwk
  readonly role: KeyRole
  /** Of an audit key that has leaked: the last checkpoint that counts by its signature. */
  readonly untilCheckpoint?: LastCheckpoint
}

/** The ring of stored keys at a time (ms): by role, the newest first, so that the newest active key signs. */
export function ringAt(stored: readonly StoredKey[], now: number): KeyRing {
  const order = [...stored].sort(
    (one, other) =>
      KEY_ROLES.indexOf(one.role) - KEY_ROLES.indexOf(other.role) ||
      (other.activeFrom ?? other.createdAt) - (one.activeFrom ?? one.createdAt) ||
      (one.publicJwk.kid < other.publicJwk.kid ? -1 : 1),
  )
  return { keys: order.map((key) => ringKeyAt(key, now)) }
}

function ringKeyAt(key: StoredKey, now: number): RingKey {
  const { publicJwk, privateJwk, role, retiredFrom, verifyUntil, untilCheckpoint } = key
  return {
    kid: publicJwk.kid,
    role,
    state: stateAt(key, now),
    publicJwk,
    ...(privateJwk === undefined ? {} : { signer: signerFromJwk(privateJwk) }),
    ...(retiredFrom === undefined ? {} : { retiredFrom }),
    ...(verifyUntil === undefined ? {} : { verifyUntil }),
    ...(untilCheckpoint === undefined ? {} : { untilCheckpoint }),
  }
}

/** A new stored key from a private one. */
export const storedKeyOf = (privateJwk: PrivateJwk, role: KeyRole, createdAt: number): StoredKey => ({
  publicJwk: publicJwkOf(privateJwk),
  privateJwk,
  role,
  createdAt,
})

/** The JSON text of a stored key, as a file holds it. */
export const writeStoredKey = (key: StoredKey): string => `${JSON.stringify(membersOf(key), undefined, 2)}\n`

/** A stored key for others: without its private half. */
export const publicMembersOf = ({ privateJwk: _, ...key }: StoredKey): object => membersOf(key)

function membersOf({ publicJwk, privateJwk, role, untilCheckpoint, ...times }: StoredKey): object {
  const members = { ...publicJwk, ...(privateJwk === undefined ? {} : { d: privateJwk.d }), svc_role: role }
  const last = untilCheckpoint === undefined ? {} : { [UNTIL]: untilCheckpoint }
  return { ...members, ...stampsOf(times), ...last }
}

const UNTIL = 'svc_until_checkpoint'

/** A stored key from JSON text, or why it is none. */
export function readStoredKey(text: Uint8Array | string): StoredKey | string {
  const json = parseStrictJson(text)
  return json.ok ? storedKeyIn(json.value) : json.reason
}

/** Keys of all kinds, as one text holds them. */
export interface StoredKeys {
  readonly keys: readonly StoredKey[]
  readonly secrets: readonly StoredSecret[]
}

/** The stored keys of a JSON list or of `{"keys": […]}`, as an environment variable holds them, or why it has none. */
export function readStoredKeys(text: Uint8Array | string): StoredKeys | string {
  const json = parseStrictJson(text)
  if (!json.ok) return json.reason
  const list = isRecord(json.value) ? json.value['keys'] : json.value
  if (!Array.isArray(list)) return 'Expected a JSON list of keys, or an object with a list "keys".'
  const all = (list as readonly Json[]).map((each) => (isSecretJwk(each) ? storedSecretIn(each) : storedKeyIn(each)))
  const refused = all.findIndex((key) => typeof key === 'string')
  if (refused >= 0) return `Key ${refused + 1}: ${String(all[refused])}`
  const read = all.filter((key) => typeof key !== 'string')
  return {
    keys: read.filter((key): key is StoredKey => 'publicJwk' in key),
    secrets: read.filter((key): key is StoredSecret => 'secret' in key),
  }
}

function storedKeyIn(value: Json): StoredKey | string {
  const publicJwk = readPublicJwk(value)
  if (typeof publicJwk === 'string') return publicJwk
  const record = value as JsonObject
  const privateJwk = record['d'] === undefined ? undefined : readPrivateJwk(record)
  if (typeof privateJwk === 'string') return privateJwk
  const role = KEY_ROLES.find((word) => word === record['svc_role'])
  if (role === undefined) return `svc_role must be one of ${KEY_ROLES.join(', ')}.`
  const times = timesIn(record)
  if (typeof times === 'string') return times
  const untilCheckpoint = readLastCheckpoint(record[UNTIL])
  if (record[UNTIL] !== undefined && untilCheckpoint === undefined)
    return `${UNTIL} must be {"sequence", "entry_count", "merkle_root"} of a checkpoint.`
  return {
    publicJwk,
    ...(privateJwk === undefined ? {} : { privateJwk }),
    role,
    createdAt: 0,
    ...times,
    ...(untilCheckpoint === undefined ? {} : { untilCheckpoint }),
  }
}
