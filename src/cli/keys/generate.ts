import { generatePrivateJwk } from '../../crypto/keys/key-ring.js'
import { stateAt, storedKeyOf, writeStoredKey, type StoredKey } from '../../crypto/keys/stored-key.js'
import { generateSecret, withEarlierRows, writeStoredSecret, type StoredSecret } from '../../crypto/keys/secret-key.js'
import type { PublicJwk } from '../../protocol/jwk.js'
import {
  KEY_ROLES,
  RING_ROLES,
  isSecretRole,
  type KeyRole,
  type RingRole,
  type SecretRole,
} from '../../protocol/words.js'
import { writeKeyFile, writeSecretFile } from '../../runtime/keys/key-directory.js'
import { makeFolder } from '../../runtime/storage/make-folder.js'
import { say } from '../shared/output/say.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { directoryOf, keysIn, secretKeysIn, type DirectoryOption } from './directory.js'
import { readPublicHalf } from './public-half.js'
import { oneChangeAtATime } from './one-change.js'
import { printOut } from '../shared/output/print.js'

export interface GenerateOptions extends DirectoryOption {
  readonly role?: RingRole
  readonly print: boolean
  /** A file with the public half of a key that is kept elsewhere. */
  readonly publicKey?: string
}

/** Makes a key for each role that has none, or one more for a role. */
export async function generate(options: GenerateOptions): Promise<ExitCode> {
  const now = Date.now()
  if (options.print) return print(options.role, now)
  const directory = directoryOf(options)
  const publicJwk = options.publicKey === undefined ? undefined : readPublicHalf(options.publicKey)
  await makeFolder(directory, 0o700)
  return oneChangeAtATime(directory, () =>
    publicJwk === undefined
      ? add(directory, options.role, now)
      : addPublicHalf(directory, publicJwk, signingRole(options.role), now),
  )
}

async function add(directory: string, wanted: RingRole | undefined, now: number): Promise<ExitCode> {
  const present = [...(await keysIn(directory)), ...(await secretKeysIn(directory))]
  const roles = wanted === undefined ? RING_ROLES.filter((role) => !hasActive(present, role, now)) : [wanted]
  if (roles.length === 0)
    say(`${directory} has an active key of each role. For another one: svc keys rotate --role tokens`)
  for (const role of roles) say(await written(directory, role, present, now))
  return EXIT.ok
}

type Present = readonly (StoredKey | StoredSecret)[]

const hasActive = (present: Present, role: RingRole, now: number): boolean =>
  present.some((key) => key.role === role && stateAt(key, now) === 'active')

/** Writes a new key of a role; returns the line that reports it. */
async function written(directory: string, role: RingRole, present: Present, now: number): Promise<string> {
  const isFirst = !hasActive(present, role, now)
  if (isSecretRole(role)) {
    const isUpgrade = role === 'rows' && present.length > 0 && !present.some((key) => key.role === role)
    const secret = isUpgrade ? withEarlierRows(madeSecret(role, isFirst, now)) : madeSecret(role, isFirst, now)
    const line = `${await writeSecretFile(directory, secret)}: ${role}, ${stateAt(secret, now)}, ${secret.kid}`
    return isUpgrade ? `${line}; a service authenticates its earlier rows at a start within a week` : line
  }
  const key = made(role, isFirst, now)
  return `${await writeKeyFile(directory, key)}: ${role}, ${stateAt(key, now)}, ${key.publicJwk.kid}`
}

/** A key whose private half a module or a vault keeps: `svc signer --command` signs with it. */
async function addPublicHalf(directory: string, publicJwk: PublicJwk, role: KeyRole, now: number): Promise<ExitCode> {
  const present = await keysIn(directory)
  const isFirst = !present.some((key) => key.role === role && stateAt(key, now) === 'active')
  const key: StoredKey = { publicJwk, role, createdAt: now, ...(isFirst ? { activeFrom: now } : {}) }
  const file = await writeKeyFile(directory, key)
  say(`${file}: ${role}, ${stateAt(key, now)}, ${publicJwk.kid}, without its private half`)
  return EXIT.ok
}

function print(role: RingRole | undefined, now: number): ExitCode {
  const text =
    role !== undefined && isSecretRole(role)
      ? writeStoredSecret(madeSecret(role, true, now))
      : writeStoredKey(made(signingRole(role), true, now))
  printOut(`${JSON.stringify(JSON.parse(text))}\n`)
  return EXIT.ok
}

function signingRole(role: RingRole | undefined): KeyRole {
  if (role === undefined || isSecretRole(role))
    throw new CliError(`Say which role the key is for: --role ${KEY_ROLES.join('|')}`)
  return role
}

const made = (role: KeyRole, isFirst: boolean, now: number): StoredKey => ({
  ...storedKeyOf(generatePrivateJwk(), role, now),
  ...(isFirst ? { activeFrom: now } : {}),
})

function madeSecret(role: SecretRole, isFirst: boolean, now: number): StoredSecret {
  const { activeFrom, ...next } = generateSecret(role, now)
  return isFirst ? { ...next, activeFrom: activeFrom! } : next
}
