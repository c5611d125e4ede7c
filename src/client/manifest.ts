import type { JsonObject } from '../protocol/manifest.js'
import type { PublicJwk } from '../protocol/jwk.js'
import { send, PATHS, TransportError, type Connection } from './transport.js'

export interface ManifestOptions {
  /** Keys to trust, by RFC 7638 thumbprint. Without them the service's own JWKS is believed, which proves integrity only. */
  readonly pinnedKeys?: readonly string[]
}

export interface VerifiedManifest {
  readonly manifest: JsonObject
  /** The key that signed it. */
  readonly kid: string
}

/** Reads the manifest and verifies `X-SVC-Signature` over exactly its bytes. Throws when it does not hold. */
export async function verifiedManifest(
  connection: Connection,
  { pinnedKeys }: ManifestOptions,
): Promise<VerifiedManifest> {
  const response = await send(connection, PATHS.manifest, { method: 'GET' })
  if (!response.ok)
    throw new TransportError(`The manifest was answered with ${response.status}.`, { status: response.status })
  const body = new Uint8Array(await response.arrayBuffer())
  const [header = '', , signature = ''] = (response.headers.get('X-SVC-Signature') ?? '').split('.')
  const { alg, kid } = parsed(header)
  if (alg !== 'ES256' || typeof kid !== 'string') throw new TransportError('The manifest is not signed with ES256.')
  const key = await keyOf(connection, kid, pinnedKeys)
  const held = await crypto.subtle.verify(ECDSA, key, bytesOf(signature), signingInput(header, body))
  if (!held) throw new TransportError('The signature of the manifest does not hold: it was changed on the way.')
  return { manifest: JSON.parse(new TextDecoder().decode(body)) as JsonObject, kid }
}

type ImportedKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

const ECDSA = { name: 'ECDSA', hash: 'SHA-256' } as const
const P256 = { name: 'ECDSA', namedCurve: 'P-256' } as const

async function keyOf(connection: Connection, kid: string, pinned: readonly string[] | undefined): Promise<ImportedKey> {
  if (pinned !== undefined && !pinned.includes(kid))
    throw new TransportError(`The manifest is signed by ${kid}, which is not pinned.`)
  const response = await send(connection, PATHS.jwks, { method: 'GET' })
  const { keys } = (await response.json()) as { readonly keys?: readonly PublicJwk[] }
  const jwk = keys?.find((key) => key.kid === kid)
  if (jwk === undefined) throw new TransportError(`The service publishes no key ${kid}.`)
  const { kty, crv, x, y } = jwk
  if ((await thumbprint({ crv, kty, x, y })) !== kid)
    throw new TransportError(`The key ${kid} is not what its name says.`)
  return crypto.subtle.importKey('jwk', { kty, crv, x, y }, P256, false, ['verify'])
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

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

function parsed(header: string): { readonly [name: string]: unknown } {
  try {
    return JSON.parse(new TextDecoder().decode(bytesOf(header))) as { readonly [name: string]: unknown }
  } catch {
    return {}
  }
}
