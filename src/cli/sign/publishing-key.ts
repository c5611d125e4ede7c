/**
 * The key that signs a manifest: from a file or a variable where it is kept offline, else the active one of the
 * directory.
 */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { readPrivateJwk } from '../../crypto/keys/jwk.js'
import { jwksOf, signerFor, type KeyRing } from '../../crypto/keys/key-ring.js'
import { publishedKeysOf } from '../../crypto/keys/published-keys.js'
import type { PublishedKeys } from '../../protocol/published-keys.js'
import { signerFromJwk, type Signer } from '../../crypto/keys/signer.js'
import { ringAt, storedKeyOf } from '../../crypto/keys/stored-key.js'
import { parseStrictJson } from '../../crypto/json/strict-json.js'
import type { Jwks, PrivateJwk } from '../../protocol/jwk.js'
import type { JsonObject } from '../../protocol/manifest.js'
import { readKeyRing, readPrivateFile } from '../../runtime/keys/key-directory.js'
import { CliError } from '../cli-error.js'
import { explained } from '../keys/explained.js'

export interface PublishingKey {
  readonly signer: Signer
  /** What the service publishes beside the manifest: the keys of the directory, and the one that signed. */
  readonly jwks: Jwks
  /** The roles of these and of retired ones, which the manifest says. */
  readonly keys: PublishedKeys
}

interface Given {
  readonly key?: string
  readonly keys?: string
}

export const publishingKey = (root: string, given: Given, now: number): Promise<PublishingKey> =>
  explained(find(root, given, now))

async function find(root: string, { key, keys }: Given, now: number): Promise<PublishingKey> {
  const directory = resolve(root, keys ?? process.env['SVC_KEYS'] ?? 'keys')
  const ring = await ringIn(directory, key === undefined || keys !== undefined, now)
  if (key === undefined)
    return { signer: signerFor(ring, 'manifest'), jwks: jwksOf(ring, now), keys: publishedKeysOf(ring) }
  const jwk = await privateJwkFrom(key)
  const own = ringAt([{ ...storedKeyOf(jwk, 'manifest', now), activeFrom: now }], now)
  const all = { keys: [...own.keys, ...ring.keys] }
  return { signer: signerFromJwk(jwk), jwks: jwksOf(all, now), keys: publishedKeysOf(all) }
}

async function ringIn(directory: string, isNeeded: boolean, now: number): Promise<KeyRing> {
  if (!isNeeded && (await stat(directory).catch(() => undefined)) === undefined) return { keys: [] }
  return readKeyRing(directory, () => now)
}

async function privateJwkFrom(place: string): Promise<PrivateJwk> {
  const json = parseStrictJson(await textFrom(place))
  if (!json.ok) throw new CliError(`--key ${place}: ${json.reason}`)
  const jwk = readPrivateJwk(json.value)
  if (typeof jwk === 'string')
    throw new CliError(`--key ${place}: ${jwk} Make one with: svc keys generate --role manifest`)
  const role = (json.value as JsonObject)['svc_role']
  if (role !== undefined && role !== 'manifest')
    throw new CliError(`--key ${place} has the role ${String(role)}; only a manifest key signs manifests.`)
  return jwk
}

async function textFrom(place: string): Promise<Uint8Array | string> {
  if (place.startsWith('env:')) {
    const text = process.env[place.slice(4)]
    if (text === undefined || text === '') throw new CliError(`The environment has no variable ${place.slice(4)}.`)
    return text
  }
  if ((await stat(place).catch(() => undefined))?.isFile() !== true)
    throw new CliError(`There is no key file ${place}.`)
  return readPrivateFile(place)
}
