/** The keys of a service that another process holds: this one has their public halves, and asks for signatures. */
import { decodeBase64url, encodeBase64url } from '../../../crypto/json/base64url.js'
import type { KeyRing, RingKey } from '../../../crypto/keys/key-ring.js'
import { readStoredKeys, ringAt, type StoredKey } from '../../../crypto/keys/stored-key.js'
import { ringSecretsAt, type StoredSecret } from '../../../crypto/keys/secret-key.js'
import type { JsonObject } from '../../../protocol/manifest.js'
import { SIGNER_PATHS, type SignRequest } from '../../../protocol/signer.js'
import { KeyTrouble } from '../key-directory.js'
import { routeTo, type SignerOptions } from './address.js'
import { askSigner } from './ask.js'

export type { SignerOptions }

/**
 * The key ring of a signer (`svc signer`) at `unix:/run/svc/signer.sock` or `https://signer.internal:4150`. A service
 * reads it anew while it runs, so a rotation there takes effect here. Rejects with `KeyTrouble` while it does not
 * answer.
 */
export const readSignerKeys = (
  address: string,
  options: SignerOptions = {},
  clock: () => number = Date.now,
): Promise<KeyRing> => readAgain(address, options, clock)

/** Asks for the keys; for secrets the first time only: they cross the wire once for each process. */
async function readAgain(
  address: string,
  options: SignerOptions,
  clock: () => number,
  known?: readonly StoredSecret[],
): Promise<KeyRing> {
  const route = await routeTo(address, options)
  const asking = (path: string, body?: object) => askSigner(address, route, path, body)
  const secrets = known ?? secretsIn(await asking(SIGNER_PATHS.secrets), address)
  const { stored, signs } = keysIn(await asking(SIGNER_PATHS.keys), address)
  const withSigner = (key: RingKey): RingKey =>
    signs.has(key.kid) ? { ...key, signer: { kid: key.kid, sign: signing(asking, key, address) } } : key
  return {
    keys: ringAt(stored, clock()).keys.map(withSigner),
    secrets: ringSecretsAt(secrets, clock()),
    reload: () => readAgain(address, options, clock, secrets),
    ready: () => asking(SIGNER_PATHS.keys),
  }
}

type Asking = (path: string, body?: object) => Promise<JsonObject>

function signing(asking: Asking, { kid, role }: RingKey, address: string) {
  return async (data: Uint8Array): Promise<Uint8Array> => {
    const request: SignRequest = { kid, use: role, bytes: encodeBase64url(data) }
    const { signature } = await asking(SIGNER_PATHS.sign, request)
    const bytes = typeof signature === 'string' ? decodeBase64url(signature) : undefined
    if (bytes === undefined) throw new KeyTrouble(`The signer at ${address} gave no signature.`)
    return bytes
  }
}

interface SignerKeys {
  readonly stored: readonly StoredKey[]
  /** The ids of those that it signs with. */
  readonly signs: ReadonlySet<unknown>
}

function secretsIn(answer: JsonObject, address: string): readonly StoredSecret[] {
  const read = readStoredKeys(JSON.stringify(answer))
  if (typeof read === 'string') throw new KeyTrouble(`The secrets of the signer at ${address} cannot be read: ${read}`)
  return read.secrets
}

function keysIn(answer: JsonObject, address: string): SignerKeys {
  const read = readStoredKeys(JSON.stringify(answer))
  const { signs } = answer
  if (typeof read === 'string') throw new KeyTrouble(`The keys of the signer at ${address} cannot be read: ${read}`)
  const stored = read.keys
  if (stored.some(({ privateJwk }) => privateJwk !== undefined))
    throw new KeyTrouble(`The signer at ${address} hands out private keys. Retire them: svc keys retire <kid>`)
  return { stored, signs: new Set(Array.isArray(signs) ? signs : []) }
}
