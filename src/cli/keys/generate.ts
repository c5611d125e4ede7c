import { generatePrivateJwk } from '../../crypto/keys/key-ring.js'
import { stateAt, storedKeyOf, writeStoredKey, type StoredKey } from '../../crypto/keys/stored-key.js'
import type { PublicJwk } from '../../protocol/jwk.js'
import { KEY_ROLES, type KeyRole } from '../../protocol/words.js'
import { writeKeyFile } from '../../runtime/keys/key-directory.js'
import { makeFolder } from '../../runtime/storage/make-folder.js'
import { say } from '../generate/say.js'
import { CliError, EXIT, type ExitCode } from '../cli-error.js'
import { directoryOf, keysIn, type DirectoryOption } from './directory.js'
import { readPublicHalf } from './public-half.js'
import { oneChangeAtATime } from './one-change.js'
import { printOut } from '../print.js'

export interface GenerateOptions extends DirectoryOption {
  readonly role?: KeyRole
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
      : addPublicHalf(directory, publicJwk, roleFor(options.role), now),
  )
}

async function add(directory: string, wanted: KeyRole | undefined, now: number): Promise<ExitCode> {
  const present = await keysIn(directory)
  const hasActive = (role: KeyRole): boolean =>
    present.some((key) => key.role === role && stateAt(key, now) === 'active')
  const roles = wanted === undefined ? KEY_ROLES.filter((role) => !hasActive(role)) : [wanted]
  if (roles.length === 0)
    say(`${directory} has an active key of each role. For another one: svc keys rotate --role tokens`)
  for (const role of roles) {
    const key = made(role, !hasActive(role), now)
    const file = await writeKeyFile(directory, key)
    say(`${file}: ${role}, ${stateAt(key, now)}, ${key.publicJwk.kid}`)
  }
  return EXIT.ok
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

function print(role: KeyRole | undefined, now: number): ExitCode {
  printOut(`${JSON.stringify(JSON.parse(writeStoredKey(made(roleFor(role), true, now))))}\n`)
  return EXIT.ok
}

function roleFor(role: KeyRole | undefined): KeyRole {
  if (role === undefined) throw new CliError(`Say which role the key is for: --role ${KEY_ROLES.join('|')}`)
  return role
}

const made = (role: KeyRole, isFirst: boolean, now: number): StoredKey => ({
  ...storedKeyOf(generatePrivateJwk(), role, now),
  ...(isFirst ? { activeFrom: now } : {}),
})
