/** A directory of signing keys: one JWK file each, mode 0600, in a directory that nobody else can write. */
import { open, readdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { generatePrivateJwk, type KeyRing } from '../../crypto/keys/key-ring.js'
import {
  readStoredKey,
  readStoredKeys,
  ringAt,
  storedKeyOf,
  writeStoredKey,
  type StoredKey,
} from '../../crypto/keys/stored-key.js'
import {
  generateSecret,
  readStoredSecret,
  ringSecretsAt,
  writeStoredSecret,
  type StoredSecret,
} from '../../crypto/keys/secret-key.js'
import { SECRET_ROLES, type KeyRole } from '../../protocol/words.js'
import { makeFolder } from '../storage/make-folder.js'
import { readPrivately } from './private-file.js'
import { shellPath } from '../../protocol/shell.js'

/** Keys that cannot be used. The message names the place and says what to do. */
export class KeyTrouble extends Error {
  override readonly name = 'KeyTrouble'
}

const SUFFIX = '.jwk.json'
const SECRET_SUFFIX = '.secret.json'
const OTHERS_MAY_WRITE = 0o022

/**
 * The key ring of a directory as it is now; a service reads it anew while it runs. Rejects with `KeyTrouble` when a
 * file or the directory is open to others, when a file is no key, or when there is no key at all.
 */
export async function readKeyRing(directory: string, clock: () => number = Date.now): Promise<KeyRing> {
  const read = Promise.all([readStoredKeyFiles(directory), readSecretFiles(directory)])
  const [stored, secrets] = await read.catch((error: unknown) => {
    throw isOfSystem(error) ? new KeyTrouble(`The keys in ${directory} cannot be read: ${error.message}.`) : error
  })
  if (stored.length === 0)
    throw new KeyTrouble(`${directory} holds no keys. Make them with: svc keys generate --dir ${shellPath(directory)}`)
  const ring = { ...ringAt(stored, clock()), secrets: ringSecretsAt(secrets, clock()) }
  return { ...ring, directory, reload: () => readKeyRing(directory, clock) }
}

/**
 * The key ring of a text, as an environment variable holds it: a JSON list of keys as they stand in the files. Throws
 * `KeyTrouble`.
 */
export function readKeyRingText(text: string, clock: () => number = Date.now): KeyRing {
  const stored = readStoredKeys(text)
  if (typeof stored === 'string') throw new KeyTrouble(`The keys cannot be read: ${stored}`)
  const keys = withoutRepetition(stored.keys, 'The text')
  // The text stays as it is, but the states in it change with time.
  const ring = (): KeyRing => ({
    ...ringAt(keys, clock()),
    secrets: ringSecretsAt(stored.secrets, clock()),
    reload: () => Promise.resolve(ring()),
  })
  return ring()
}

/**
 * The keys of a directory, in the order of their file names. Rejects with `KeyTrouble`; a missing directory has none.
 */
export async function readStoredKeyFiles(directory: string): Promise<readonly StoredKey[]> {
  const names = await keyFilesIn(directory, SUFFIX)
  const keys = await Promise.all(names.map((name) => readKeyFile(join(directory, name))))
  return withoutRepetition(keys, directory)
}

/** The secrets of a directory, in the order of their file names. Rejects with `KeyTrouble`; a missing directory has none. */
export async function readSecretFiles(directory: string): Promise<readonly StoredSecret[]> {
  const names = await keyFilesIn(directory, SECRET_SUFFIX)
  return Promise.all(names.map((name) => readSecretFile(join(directory, name))))
}

async function readSecretFile(file: string): Promise<StoredSecret> {
  const secret = readStoredSecret(await readPrivateFile(file))
  if (typeof secret === 'string') throw new KeyTrouble(`${file} is not a secret key of svc: ${secret}`)
  return secret
}

async function keyFilesIn(directory: string, suffix: string): Promise<readonly string[]> {
  try {
    const { mode } = await stat(directory)
    if (isOpen(mode, OTHERS_MAY_WRITE))
      throw new KeyTrouble(
        `Others may write to ${directory} (mode ${octal(mode)}). Run: chmod 700 ${shellPath(directory)}`,
      )
    return (await readdir(directory)).filter((name) => name.endsWith(suffix)).sort()
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** One key from its file. Rejects with `KeyTrouble` when others may read it or when it is no key. */
export async function readKeyFile(file: string): Promise<StoredKey> {
  const key = readStoredKey(await readPrivateFile(file))
  if (typeof key === 'string') throw new KeyTrouble(`${file} is not a signing key of svc: ${key}`)
  return key
}

/** The bytes of a file that holds a secret. Rejects with `KeyTrouble` when others may read it. */
export async function readPrivateFile(file: string): Promise<Uint8Array> {
  const found = await readPrivately(file)
  if (found.state === 'read') return found.bytes
  if (found.state === 'unfit') throw new KeyTrouble(`${file} ${found.reason}.`)
  throw new KeyTrouble(
    `Others may read the private key ${file} (mode ${found.mode}). Run: chmod 600 ${shellPath(file)}`,
  )
}

/**
 * Writes a key durably, mode 0600, in place of what was there; makes the directory (0700) if need be. Gives the file.
 */
export async function writeKeyFile(directory: string, key: StoredKey): Promise<string> {
  await makeFolder(directory, 0o700)
  return writePrivately(directory, await fileOf(directory, key), writeStoredKey(key))
}

/** Writes a secret as `writeKeyFile` writes a key. Gives the file. */
export async function writeSecretFile(directory: string, secret: StoredSecret): Promise<string> {
  await makeFolder(directory, 0o700)
  return writePrivately(directory, secretFileOf(directory, secret), writeStoredSecret(secret))
}

const secretFileOf = (directory: string, { role, kid }: StoredSecret): string =>
  join(directory, `${role}-${kid}${SECRET_SUFFIX}`)

async function writePrivately(directory: string, file: string, text: string): Promise<string> {
  const draft = `${file}.new`
  const handle = await open(draft, 'w', 0o600)
  try {
    await handle.chmod(0o600)
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, file)
  await syncFolder(directory)
  return file
}

/** Returns the file of a key that is stored already, whatever its name: a second file would store it twice. */
async function fileOf(directory: string, { role, publicJwk: { kid } }: StoredKey): Promise<string> {
  for (const name of await keyFilesIn(directory, SUFFIX)) {
    const file = join(directory, name)
    const there = await readKeyFile(file)
    if (there.publicJwk.kid === kid && there.role === role) return file
  }
  return join(directory, `${role}-${kid}${SUFFIX}`)
}

/** A file has its name for good when its folder is on the disk. Windows opens no folder. */
async function syncFolder(directory: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(directory)
  await folder.sync().finally(() => folder.close())
}

/** Makes a new key for each role and each secret, active from now on (ms), and gives the files. */
export const writeNewKeys = (directory: string, roles: readonly KeyRole[], now: number): Promise<readonly string[]> =>
  Promise.all([
    ...roles.map((role) =>
      writeKeyFile(directory, { ...storedKeyOf(generatePrivateJwk(), role, now), activeFrom: now }),
    ),
    ...SECRET_ROLES.map((role) => writeSecretFile(directory, generateSecret(role, now))),
  ])

function withoutRepetition(keys: readonly StoredKey[], place: string): readonly StoredKey[] {
  const seen = new Set<string>()
  for (const { publicJwk } of keys) {
    if (seen.has(publicJwk.kid))
      throw new KeyTrouble(`${place} has the key ${publicJwk.kid} twice; a key has one role.`)
    seen.add(publicJwk.kid)
  }
  return keys
}

/** Windows has no such modes. */
const isOpen = (mode: number, mask: number): boolean => process.platform !== 'win32' && (mode & mask) !== 0
const octal = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0')
const isOfSystem = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'syscall' in error
const isMissing = (error: unknown): boolean => isOfSystem(error) && error.code === 'ENOENT'
