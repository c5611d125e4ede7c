import { canonicalText } from '../../../crypto/json/canonical.js'
import type { Checkpoint } from '../../../protocol/audit.js'
import type { PublicJwk } from '../../../protocol/jwk.js'

/** `header..signature`, with exactly the members that the service writes (section 2.15). */
const DETACHED = /^([\w-]+)\.\.([\w-]+)$/u

/** Arguments of one call are limited. */
const CHUNK = 0x8000

export function base64url(data: Uint8Array): string {
  const parts: string[] = []
  for (let start = 0; start < data.length; start += CHUNK)
    parts.push(String.fromCharCode(...data.subarray(start, start + CHUNK)))
  return btoa(parts.join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The bytes of a text that is their one spelling as base64url; it throws for every other. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(binary, (character) => character.codePointAt(0)!)
  if (base64url(bytes) !== text) throw new TypeError('There are several spellings.')
  return bytes
}

/** The key that a detached signature names; undefined where its header is not one of ours. */
export function kidIn(signature: string): string | undefined {
  try {
    const header = JSON.parse(new TextDecoder().decode(bytesOf(DETACHED.exec(signature)?.[1] ?? ''))) as {
      readonly alg?: unknown
      readonly kid?: unknown
    }
    const isOurs = header.alg === 'ES256' && typeof header.kid === 'string' && Object.keys(header).length === 2
    return isOurs ? String(header.kid) : undefined
  } catch {
    return undefined
  }
}

/** Holds when the key made the detached signature over these bytes. */
export async function holdsOver(
  payload: Uint8Array,
  detached: string,
  { kty, crv, x, y }: PublicJwk,
): Promise<boolean> {
  const [, header = '', signature = ''] = DETACHED.exec(detached) ?? []
  const signed = new TextEncoder().encode(`${header}.${base64url(payload)}`)
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('jwk', { kty, crv, x, y }, algorithm, false, ['verify'])
  return crypto.subtle.verify(algorithm, key, bytesOf(signature), signed)
}

/** Holds when the key signed the checkpoint. */
export function isSigned(checkpoint: Checkpoint, jwk: PublicJwk): Promise<boolean> {
  const { checkpoint_id, sequence, merkle_root, entry_count, created_at } = checkpoint
  const payload = canonicalText({ checkpoint_id, sequence, merkle_root, entry_count, created_at })
  return holdsOver(new TextEncoder().encode(payload), checkpoint.signature, jwk)
}
