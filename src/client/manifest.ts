import type { JsonObject } from '../protocol/manifest.js'
import type { PublicJwk } from '../protocol/jwk.js'
import { isObject } from './answer-shape.js'
import { assertSupportedManifest } from './supported.js'
import {
  bytesOf,
  jsonIn,
  jsonBody,
  leave,
  send,
  PATHS,
  TransportError,
  unexpectedAnswer,
  type Connection,
} from './transport.js'

export interface ManifestOptions {
  /**
   * Keys to trust, by RFC 7638 thumbprint: those that `svc keys list --role manifest --kids` prints. By default those
   * that the generated client pins.
   */
  readonly pinnedKeys?: readonly string[]
  /**
   * `issued_at` of the manifest seen last: an older one is refused. Without it, a client still remembers what it saw
   * itself.
   */
  readonly issuedSince?: string
  /** The clock, ms since the epoch; the system's when absent. */
  readonly now?: () => number
}

export interface VerifiedManifest {
  readonly manifest: JsonObject
  /** The key that signed it. */
  readonly kid: string
}

/**
 * Reads the manifest and verifies `X-SVC-Signature` over exactly its bytes. Throws when the signature does not hold,
 * when the manifest has expired, and when it is older than the one seen before (section 9.4).
 */
export async function verifiedManifest(
  connection: Connection,
  { pinnedKeys, issuedSince, now = Date.now }: ManifestOptions,
): Promise<VerifiedManifest> {
  const response = await send(connection, PATHS.manifest, { method: 'GET' })
  if (!response.ok) {
    leave(response)
    throw new TransportError(`The manifest was answered with ${response.status}.`, { status: response.status })
  }
  const body = await bytesOf(connection, response).catch((cause: unknown) => {
    throw cause instanceof TransportError ? cause : unexpectedAnswer(response, 'The manifest was cut off', cause)
  })
  const [header = '', , signature = ''] = (response.headers.get('X-SVC-Signature') ?? '').split('.')
  const { alg, kid } = objectIn(() => jsonIn(bytesIn(header)!))
  const bytes = bytesIn(signature)
  if (alg !== 'ES256' || typeof kid !== 'string' || bytes?.length !== 64)
    throw new TransportError('The manifest is not signed with ES256.')
  const key = await keyOf(connection, kid, pinnedKeys ?? connection.manifestKeys)
  const held = await crypto.subtle.verify(ECDSA, key, bytes, signingInput(header, body))
  if (!held) throw new TransportError('The signature of the manifest does not hold: it was changed on the way.')
  const manifest = objectIn(() => jsonIn(body)) as JsonObject
  assertSupportedManifest(manifest)
  assertOwnRole(manifest, kid)
  assertCurrent(connection, manifest, issuedSince, now())
  return { manifest, kid }
}

/** Connection -> `issued_at` of the newest manifest that was verified over it, ms since the epoch. */
const newestSeen = new WeakMap<Connection, number>()

function assertCurrent(
  connection: Connection,
  manifest: JsonObject,
  issuedSince: string | undefined,
  now: number,
): void {
  const { manifest_metadata: metadata } = manifest
  const { issued_at, expires_at } = isObject(metadata) ? metadata : {}
  const [issued, expires] = [Date.parse(String(issued_at)), Date.parse(String(expires_at))]
  if (Number.isNaN(issued) || Number.isNaN(expires)) throw new TransportError('The manifest does not say when it ends.')
  if (expires <= now) throw new TransportError(`The manifest expired at ${String(expires_at)}.`)
  const known = Math.max(newestSeen.get(connection) ?? 0, issuedSince === undefined ? 0 : Date.parse(issuedSince))
  if (!(issued >= known))
    throw new TransportError(`The manifest of ${String(issued_at)} is older than one seen before.`)
  newestSeen.set(connection, issued)
}

type ImportedKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

const ECDSA = { name: 'ECDSA', hash: 'SHA-256' } as const
const P256 = { name: 'ECDSA', namedCurve: 'P-256' } as const

/** The manifest says what keys are for; its own is for manifests. */
function assertOwnRole({ service_identity: identity }: JsonObject, kid: string): void {
  const keys = isObject(identity) ? identity['x-keys'] : undefined
  const key = isObject(keys) && Object.hasOwn(keys, kid) ? keys[kid] : undefined
  if (!isObject(key) || key['role'] !== 'manifest')
    throw new TransportError(`The manifest does not list the key ${kid}, which signed it, as one that signs manifests.`)
}

async function keyOf(connection: Connection, kid: string, pinned: readonly string[]): Promise<ImportedKey> {
  if (pinned.length === 0)
    throw new TransportError(
      'No key is pinned, so nobody knows whose manifest this is. Pin the keys that its operator names: svc keys ' +
        'pin <kid>, or manifest({ pinnedKeys }).',
    )
  if (!pinned.includes(kid)) throw new TransportError(`The manifest is signed by ${kid}, which is not pinned.`)
  const response = await send(connection, PATHS.jwks, { method: 'GET' })
  const { keys } = await jsonBody(connection, response, undefined)
  const jwk: unknown = Array.isArray(keys) ? keys.find((key) => isObject(key) && key['kid'] === kid) : undefined
  if (jwk === undefined) throw new TransportError(`The service publishes no key ${kid}.`)
  const { kty, crv, x, y } = jwk as PublicJwk
  if ((await thumbprint({ crv, kty, x, y })) !== kid)
    throw new TransportError(`The key ${kid} is not what its name says.`)
  return crypto.subtle.importKey('jwk', { kty, crv, x, y }, P256, false, ['verify']).catch((cause: unknown) => {
    throw new TransportError(`The key ${kid} is no point of P-256.`, { cause })
  })
}

/** RFC 7638, section 3: members in this order. */
async function thumbprint({ crv, kty, x, y }: Pick<PublicJwk, 'crv' | 'kty' | 'x' | 'y'>): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify({ crv, kty, x, y })))
  return base64url(new Uint8Array(digest))
}

function signingInput(header: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(`${header}.${base64url(body)}`))
}

function base64url(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let start = 0; start < bytes.length; start += CHUNK)
    parts.push(String.fromCharCode(...bytes.subarray(start, start + CHUNK)))
  return btoa(parts.join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Arguments of one call are limited. */
const CHUNK = 0x8000

/** The bytes, or undefined unless the text is their one spelling as base64url. */
function bytesIn(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]*$/u.test(text) || text.length % 4 === 1) return undefined
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
  return base64url(bytes) === text ? bytes : undefined
}

/** Reads an object; returns an empty one for anything else. */
function objectIn(read: () => unknown): { readonly [name: string]: unknown } {
  try {
    const value = read()
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
