import type { PublicJwk } from '../../../protocol/jwk.js'
import type { Manifest } from '../../../protocol/manifest.js'
import type { PublishedKeys } from '../../../protocol/published-keys.js'
import { fetchManifest } from './read.js'
import { base64url, holdsOver, kidIn } from './signature.js'

/** The manifest, and whether the key that it is signed by is one of the service for manifests. */
export interface SignedManifest {
  readonly manifest: Manifest
  readonly keys: PublishedKeys
  /** Of the key that signed it; empty where it names none. */
  readonly kid: string
  readonly holds: boolean
}

/** Reads the manifest, and verifies its signature over exactly its bytes, its role and its expiry (section 9.4). */
export async function signedManifest(jwks: readonly PublicJwk[], now: number): Promise<SignedManifest | undefined> {
  try {
    const response = await fetchManifest()
    if (!response.ok) return undefined
    const bytes = new Uint8Array(await response.arrayBuffer())
    const manifest = JSON.parse(new TextDecoder().decode(bytes)) as Manifest
    const signature = response.headers.get('x-svc-signature') ?? ''
    const kid = kidIn(signature) ?? ''
    const keys = (manifest.service_identity as { readonly 'x-keys'?: PublishedKeys })['x-keys'] ?? {}
    const jwk = jwks.find((each) => each.kid === kid)
    const isForManifests = Object.hasOwn(keys, kid) && keys[kid]?.role === 'manifest'
    const isCurrent = Date.parse(manifest.manifest_metadata.expires_at ?? '') > now
    const holds =
      jwk !== undefined &&
      isForManifests &&
      isCurrent &&
      (await thumbprint(jwk)) === kid &&
      (await holdsOver(bytes, signature, jwk))
    return { manifest, keys, kid, holds }
  } catch {
    return undefined
  }
}

/** RFC 7638, section 3: members in this order. */
async function thumbprint({ crv, kty, x, y }: PublicJwk): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify({ crv, kty, x, y }))
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', text)))
}
