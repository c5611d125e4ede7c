/**
 * The key that signs a manifest: from a file or a variable where it is kept offline, else the active one of the
 * directory; and the keys that the manifest lists.
 */
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { jwksByJose } from '../../crypto/jws/jose-jws.js'
import { readPrivateJwk } from '../../crypto/keys/jwk.js'
import { jwksOf, signerFor, type KeyRing } from '../../crypto/keys/key-ring.js'
import { publishedKeysOf } from '../../crypto/keys/published-keys.js'
import type { PublishedKeys } from '../../protocol/published-keys.js'
import { readStoredKeys, ringAt, storedKeyOf, type StoredKey } from '../../crypto/keys/stored-key.js'
import { parseStrictJson } from '../../crypto/json/strict-json.js'
import type { Jwks, PrivateJwk } from '../../protocol/jwk.js'
import type { JsonObject } from '../../protocol/manifest.js'
import { KeyTrouble, readPrivateFile, readStoredKeyFiles } from '../../runtime/keys/key-directory.js'
import { CliError } from '../shared/errors/cli-error.js'
import { explained } from '../shared/errors/explained.js'
import { shellPath } from '../../protocol/shell.js'

export interface PublishingKey {
  readonly kid: string
  readonly privateJwk: PrivateJwk
  /** Keys that the service publishes, the signing key among them. */
  readonly jwks: Jwks
  /** The roles of these and of retired ones, which the manifest says. */
  readonly keys: PublishedKeys
  /** Holds when the service publishes the key without being given it. */
  readonly isPublished: boolean
}

interface Given {
  readonly key?: string
  readonly keys?: string
  /** A file with the keys of the service, where they are elsewhere. */
  readonly jwks?: string
}

export const publishingKey = (root: string, given: Given, now: number): Promise<PublishingKey> =>
  explained(find(root, given, now))

async function find(root: string, { key, keys, jwks }: Given, now: number): Promise<PublishingKey> {
  const directory = resolve(root, keys ?? process.env['SVC_KEYS'] ?? 'keys')
  const stored = await keysIn(directory, key === undefined || keys !== undefined)
  const privateJwk = key === undefined ? activeManifestKey(stored, ringAt(stored, now)) : await privateJwkFrom(key)
  const listed = jwks === undefined ? stored : await keysOfService(jwks)
  const own = { ...storedKeyOf(privateJwk, 'manifest', now), activeFrom: now }
  const { kid } = own.publicJwk
  const same = listed.find(({ publicJwk }) => publicJwk.kid === kid)
  if (same !== undefined && same.role !== 'manifest')
    throw new CliError(`The key ${kid} is a ${same.role} key of the service; only a manifest key signs manifests.`)
  const ring = ringAt(same === undefined ? [own, ...listed] : listed, now)
  const published = { jwks: await jwksByJose(jwksOf(ring, now)), keys: publishedKeysOf(ring) }
  return { kid, privateJwk, ...published, isPublished: same !== undefined }
}

/** The private half of the key of a ring that signs manifests. Throws `MissingSigningKey` when there is none. */
export function activeManifestKey(stored: readonly StoredKey[], ring: KeyRing): PrivateJwk {
  const { kid } = signerFor(ring, 'manifest')
  return stored.find(({ publicJwk }) => publicJwk.kid === kid)!.privateJwk!
}

async function keysIn(directory: string, isNeeded: boolean): Promise<readonly StoredKey[]> {
  const stored = await readStoredKeyFiles(directory)
  if (isNeeded && stored.length === 0)
    throw new KeyTrouble(`${directory} holds no keys. Make them with: svc keys generate --dir ${shellPath(directory)}`)
  return stored
}

/** The public keys of a service with their roles, as `svc keys list --jwks` prints them where it runs. */
async function keysOfService(file: string): Promise<readonly StoredKey[]> {
  const text = await readFile(file).catch(() => undefined)
  if (text === undefined) throw new CliError(`--jwks ${file} cannot be read.`)
  const stored = readStoredKeys(text)
  const how = 'Print the keys where the service runs: svc keys list --jwks'
  if (typeof stored === 'string') throw new CliError(`--jwks ${file}: ${stored} ${how}`)
  const secret = stored.secrets[0]?.kid ?? stored.keys.find(({ privateJwk }) => privateJwk !== undefined)?.publicJwk.kid
  if (secret !== undefined)
    throw new CliError(`--jwks ${file} has the private half of ${secret}. Delete the file. ${how}`)
  return stored.keys
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
