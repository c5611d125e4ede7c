/**
 * JOSE headers, pinned: exactly the members we write, ES256 and nothing else (RFC 7515, section 4; RFC 8725, section
 * 3).
 */
import type { KeyObject } from 'node:crypto'
import type { JsonObject } from '../../protocol/manifest.js'
import type { PublicJwk } from '../../protocol/jwk.js'
import { decodeBase64url, encodeBase64url } from '../json/base64url.js'
import { importPublicKey, verifyEs256 } from '../keys/es256.js'
import type { RingKey } from '../keys/key-ring.js'
import { parseStrictJson } from '../json/strict-json.js'

/** The header segment for a key. Its members are in the order of their names. */
export const headerFor = (kid: string, typ?: string): string =>
  encodeBase64url(JSON.stringify({ alg: 'ES256', kid, ...(typ === undefined ? {} : { typ }) }))

/**
 * The `kid` of a header segment, or undefined unless it is an object with exactly `alg: ES256`, `kid` and, where one is
 * expected, `typ`. So `crit`, `b64`, `jku`, `x5u`, `jwk` and whatever else there is are refused, and nothing is ever
 * fetched.
 */
export function kidOf(segment: string, typ?: string): string | undefined {
  const header = objectIn(segment)
  if (header === undefined || header['alg'] !== 'ES256' || header['typ'] !== typ) return undefined
  const { kid } = header
  const members = typ === undefined ? 2 : 3
  return typeof kid === 'string' && Object.keys(header).length === members ? kid : undefined
}

type Segments = readonly [header: string, payload: string, signature: string]

/** The segments of a compact JWS; undefined unless there are three. */
export function segmentsOf(jws: string): Segments | undefined {
  const segments: readonly string[] = jws.split('.', 4)
  return isThree(segments) ? segments : undefined
}

const isThree = (segments: readonly string[]): segments is Segments => segments.length === 3

/** The JSON object in a base64url segment; undefined for everything else. */
export function objectIn(segment: string): JsonObject | undefined {
  const bytes = decodeBase64url(segment)
  const json = bytes === undefined ? undefined : parseStrictJson(bytes)
  if (json?.ok !== true || typeof json.value !== 'object' || json.value === null || Array.isArray(json.value))
    return undefined
  return json.value as JsonObject
}

/** Holds when the segment is a signature by the key of the id over the input. */
export function isSignedBy(kid: string, keys: readonly RingKey[], input: string, segment: string): boolean {
  const key = keys.find((each) => each.kid === kid)
  const signature = decodeBase64url(segment)
  if (key === undefined || signature === undefined) return false
  const imported = importedKey(key.publicJwk)
  return imported !== undefined && verifyEs256(Buffer.from(input, 'latin1'), imported, signature)
}

/** Importing costs as much as verifying, so each key is imported once for as long as somebody holds it. */
const imported = new WeakMap<PublicJwk, KeyObject>()

function importedKey(jwk: PublicJwk): KeyObject | undefined {
  const known = imported.get(jwk)
  if (known !== undefined) return known
  const key = importPublicKey(jwk)
  if (key !== undefined) imported.set(jwk, key)
  return key
}
