import { canonicalText } from '../../../crypto/json/canonical.js'
import type { Checkpoint } from '../../../protocol/audit.js'
import type { PublicJwk } from '../../../protocol/jwk.js'

/** `header..signature`, with exactly the members that the service writes (section 2.15). */
const DETACHED = /^([\w-]+)\.\.([\w-]+)$/u

const base64url = (data: Uint8Array): string =>
  btoa(String.fromCodePoint(...data))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.codePointAt(0)!)

/** The key that a checkpoint says it is signed by; undefined where its header is not one of ours. */
export function signedBy({ signature }: Checkpoint): string | undefined {
  try {
    const header = JSON.parse(new TextDecoder().decode(bytesOf(DETACHED.exec(signature)?.[1] ?? ''))) as { readonly alg?: unknown; readonly kid?: unknown } // prettier-ignore
    const isOurs = header.alg === 'ES256' && typeof header.kid === 'string' && Object.keys(header).length === 2
    return isOurs ? String(header.kid) : undefined
  } catch {
    return undefined
  }
}

/** Holds when the key signed the checkpoint. */
export async function isSigned(checkpoint: Checkpoint, jwk: PublicJwk): Promise<boolean> {
  const [, header = '', signature = ''] = DETACHED.exec(checkpoint.signature) ?? []
  const { checkpoint_id, sequence, merkle_root, entry_count, created_at } = checkpoint
  const payload = canonicalText({ checkpoint_id, sequence, merkle_root, entry_count, created_at })
  const signed = new TextEncoder().encode(`${header}.${base64url(new TextEncoder().encode(payload))}`)
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const { kty, crv, x, y } = jwk
  const key = await crypto.subtle.importKey('jwk', { kty, crv, x, y }, algorithm, false, ['verify'])
  return crypto.subtle.verify(algorithm, key, bytesOf(signature), signed)
}
