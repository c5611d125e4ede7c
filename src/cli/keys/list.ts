import { jwksOf } from '../../crypto/keys/key-ring.js'
import { publicMembersOf, ringAt, stateAt, type StoredKey } from '../../crypto/keys/stored-key.js'
import type { StoredSecret } from '../../crypto/keys/secret-key.js'
import { KEY_ROLES, type RingRole } from '../../protocol/words.js'
import { asJson } from '../shared/output/as-json.js'
import { say } from '../shared/output/say.js'
import { EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { directoryOf, keysIn, secretKeysIn, type DirectoryOption } from './directory.js'
import { printOut } from '../shared/output/print.js'

export interface KeyListOptions extends DirectoryOption {
  readonly role?: RingRole
  readonly json?: boolean
  readonly jwks?: boolean
  readonly kids?: boolean
}

/** Shows the keys, never their private parts. */
export async function listKeys(options: KeyListOptions): Promise<ExitCode> {
  const now = Date.now()
  const directory = directoryOf(options)
  const wanted = (await keysIn(directory)).filter(({ role }) => options.role === undefined || role === options.role)
  const keys = ringAt(wanted, now).keys.map(({ kid }) => wanted.find(({ publicJwk }) => publicJwk.kid === kid)!)
  const secrets = (await secretKeysIn(directory)).filter(
    ({ role }) => options.role === undefined || role === options.role,
  )
  if (options.jwks === true) printOut(`${JSON.stringify(jwksWithRoles(keys, now), undefined, 2)}\n`)
  else if (options.kids === true) printOut(keys.map((key) => `${key.publicJwk.kid}\n`).join(''))
  else if (options.json === true)
    printOut(
      asJson({ keys: keys.map((key) => shown(key, now)), secrets: secrets.map((secret) => shownSecret(secret, now)) }),
    )
  else printOut(tableOf(keys, now) + secretsTable(secrets, now))
  if (keys.length + secrets.length === 0) say(`${directory} holds no such keys. Make them with: svc keys generate`)
  return EXIT.ok
}

/** The keys that are published, with what `svc sign --jwks` writes into the manifest: their roles and their times. */
function jwksWithRoles(keys: readonly StoredKey[], now: number): object {
  const published = new Set(jwksOf(ringAt(keys, now), now).keys.map(({ kid }) => kid))
  return { keys: keys.filter(({ publicJwk }) => published.has(publicJwk.kid)).map(publicMembersOf) }
}

const shown = (key: StoredKey, now: number) => ({
  kid: key.publicJwk.kid,
  role: key.role,
  state: stateAt(key, now),
  has_private_key: key.privateJwk !== undefined,
  created_at: timeText(key.createdAt),
  active_from: timeText(key.activeFrom),
  retired_from: timeText(key.retiredFrom),
  verify_until: timeText(key.verifyUntil),
  until_checkpoint: key.untilCheckpoint,
  jwk: key.publicJwk,
})

/** Never the secret itself. */
const shownSecret = ({ kid, role, secret: _, ...times }: StoredSecret, now: number) => ({
  kid,
  role,
  state: stateAt(times, now),
  created_at: timeText(times.createdAt),
  active_from: timeText(times.activeFrom),
  retired_from: timeText(times.retiredFrom),
})

const secretsTable = (secrets: readonly StoredSecret[], now: number): string =>
  secrets
    .map(
      (secret) =>
        `${secret.kid}  ${secret.role.padEnd(ROLE_WIDTH)}  ${stateAt(secret, now).padEnd(7)}  secret, never published\n`,
    )
    .join('')

const timeText = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : new Date(ms).toISOString()

const tableOf = (keys: readonly StoredKey[], now: number): string => keys.map((key) => `${rowOf(key, now)}\n`).join('')

const ROLE_WIDTH = Math.max(...KEY_ROLES.map((role) => role.length))

function rowOf(key: StoredKey, now: number): string {
  const state = stateAt(key, now)
  const where = key.privateJwk === undefined ? ' (public part only)' : ''
  return `${key.publicJwk.kid}  ${key.role.padEnd(ROLE_WIDTH)}  ${state.padEnd(7)}  ${prospectOf(key, now)}${where}`
}

function prospectOf({ activeFrom, retiredFrom, verifyUntil, untilCheckpoint }: StoredKey, now: number): string {
  if (untilCheckpoint !== undefined) return `counts up to checkpoint ${untilCheckpoint.sequence}`
  if (activeFrom === undefined) return 'published, not yet used'
  if (activeFrom > now) return `signs from ${timeText(activeFrom)}`
  if (retiredFrom === undefined) return `signs since ${timeText(activeFrom)}`
  const end =
    verifyUntil === undefined
      ? 'verifies without an end'
      : `${verifyUntil > now ? 'verifies' : 'verified'} until ${timeText(verifyUntil)}`
  return retiredFrom > now ? `signs until ${timeText(retiredFrom)}, then ${end}` : end
}
