/** Signs only with a key of the requested role, and only what that role may sign. */
import { decodeBase64url, encodeBase64url } from '../../crypto/json/base64url.js'
import { isRecord } from '../../crypto/json/kinds.js'
import { parseStrictJson } from '../../crypto/json/strict-json.js'
import { artefactIn } from '../../crypto/keys/artefacts.js'
import type { SignRequest } from '../../protocol/signer.js'
import { KEY_ROLES, type KeyRole } from '../../protocol/words.js'
import { isSigning, type HeldKey } from './held-keys.js'

/** Response, and the log entry about it: never the bytes. */
export interface Signed {
  readonly status: number
  readonly value: object
  readonly logged: { readonly kid?: string; readonly use?: string; readonly artefact?: string; readonly bytes?: number }
}

export async function signIfAllowed(body: Uint8Array, keys: readonly HeldKey[], take: () => boolean): Promise<Signed> {
  const request = requestIn(body)
  if (request === undefined)
    return refusedToSign(
      400,
      `Send {"kid", "use", "bytes"}: use is one of ${KEY_ROLES.join(', ')}, bytes are base64url.`,
    )
  const { kid, use, data } = request
  const logged = { kid, use, bytes: data.length }
  const key = keys.find(({ stored }) => stored.publicJwk.kid === kid)
  const reason = key === undefined ? `There is no key ${kid}.` : reasonAgainst(key, use, data)
  if (reason !== undefined) return { ...refusedToSign(403, reason), logged }
  if (!take()) return { ...refusedToSign(429, 'Too many signatures a second. Raise --rate, if that is right.'), logged }
  const signature = await key!.signer!.sign(data)
  return {
    status: 200,
    value: { signature: encodeBase64url(signature) },
    logged: { ...logged, artefact: artefactIn(data, kid)!.name },
  }
}

function reasonAgainst({ stored, signer }: HeldKey, use: KeyRole, data: Uint8Array): string | undefined {
  const { role, publicJwk } = stored
  if (role !== use) return `The key ${publicJwk.kid} is for ${role}, not for ${use}.`
  if (signer === undefined) return `The private half of the key ${publicJwk.kid} is not here.`
  if (!isSigning(stored, Date.now())) return `The key ${publicJwk.kid} does not sign now. See: svc keys list`
  const artefact = artefactIn(data, publicJwk.kid)
  if (artefact?.role === role) return undefined
  return artefact === undefined
    ? 'The bytes are nothing that a service signs.'
    : `The bytes are a ${artefact.name}, which no key for ${role} signs.`
}

function requestIn(body: Uint8Array): { kid: string; use: KeyRole; data: Uint8Array } | undefined {
  const json = parseStrictJson(body)
  if (!json.ok || !isRecord(json.value)) return undefined
  const { kid, use, bytes } = json.value as Partial<Record<keyof SignRequest, unknown>>
  const role = KEY_ROLES.find((each) => each === use)
  const data = typeof bytes === 'string' ? decodeBase64url(bytes) : undefined
  if (typeof kid !== 'string' || kid.length > 64 || role === undefined || data === undefined) return undefined
  return { kid, use: role, data }
}

export const refusedToSign = (status: number, error: string): Signed => ({ status, value: { error }, logged: {} })
