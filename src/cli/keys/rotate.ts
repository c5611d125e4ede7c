import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { generatePrivateJwk } from '../../crypto/keys/key-ring.js'
import { stateAt, storedKeyOf, type StoredKey } from '../../crypto/keys/stored-key.js'
import type { Manifest } from '../../protocol/manifest.js'
import { isSecretRole, type KeyRole, type RingRole } from '../../protocol/words.js'
import { DAY, HOUR, leadOf, lengthOf } from './lengths.js'
import { rotateSecret } from './rotate-secret.js'
import { writeKeyFile } from '../../runtime/keys/key-directory.js'
import { say } from '../shared/output/say.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { directoryOf, keysIn, type DirectoryOption } from './directory.js'
import { oneChangeAtATime } from './one-change.js'
import { shellPath } from '../../protocol/shell.js'

export interface RotateOptions extends DirectoryOption {
  readonly lead?: string
  readonly overlap?: string
}

/**
 * Schedules the change of a role's key. The new key is in the JWKS for the lead before it signs, so that every replica
 * and every cache knows it by then; the old one verifies until the last thing that it signed has expired. So no call is
 * refused.
 */
export function rotate({ role, ...options }: RotateOptions & { readonly role: RingRole }): Promise<ExitCode> {
  const directory = directoryOf(options)
  return oneChangeAtATime(directory, () =>
    isSecretRole(role) ? rotateSecret(directory, role, options) : schedule(directory, { ...options, role }),
  )
}

async function schedule(
  directory: string,
  { role, ...options }: RotateOptions & { readonly role: KeyRole },
): Promise<ExitCode> {
  const now = Date.now()
  const keys = (await keysIn(directory)).filter((key) => key.role === role)
  if (keys.length === 0)
    throw new CliError(
      `${directory} has no ${role} key. Make one with: svc keys generate --role ${role} --dir ${shellPath(directory)}`,
    )
  const old = keys.filter((key) => stateAt(key, now) === 'active')
  const scheduled = keys.find((key) => key.activeFrom !== undefined && stateAt(key, now) === 'next')
  const next =
    scheduled ?? keys.find((key) => stateAt(key, now) === 'next') ?? storedKeyOf(generatePrivateJwk(), role, now)
  const asked = startOf(next, old, leadOf(options.lead), now)
  const stands = scheduled !== undefined && (options.lead === undefined || scheduled.activeFrom! <= asked)
  const activeFrom = stands ? scheduled.activeFrom! : asked
  // A command that was killed may have written the new key and not the end of the old one.
  const leaving = stands ? old.filter(({ retiredFrom }) => retiredFrom === undefined) : old
  const typed = options.overlap === undefined ? undefined : lengthOf('--overlap', options.overlap)
  const earlier = keys.filter((key) => !leaving.includes(key) && outlives(key, activeFrom, typed))
  if (stands) say(`The change to ${next.publicJwk.kid} is scheduled for ${timeText(activeFrom)} already.`)
  if (stands && leaving.length + earlier.length === 0) return EXIT.ok
  const overlap = typed ?? (await usualOverlap(role, directory))
  const ending = [
    ...leaving.map((key) => retiring(key, activeFrom, overlap)),
    ...earlier.map((key) => ({ ...key, verifyUntil: activeFrom + typed! })),
  ]
  if (!stands) await writeKeyFile(directory, { ...next, activeFrom })
  for (const key of ending) await writeKeyFile(directory, key)
  if (!stands) say(signAgain(next.publicJwk.kid, activeFrom))
  if (!stands) say(`${next.publicJwk.kid} signs for ${role} from ${timeText(activeFrom)}`)
  const kept = keys.filter(
    (key) => key !== next && verifiesAt(key, now) && !leaving.includes(key) && !earlier.includes(key),
  )
  for (const key of [...ending, ...kept]) say(`${key.publicJwk.kid} ${endOf(key, now)}`)
  return EXIT.ok
}

/**
 * Says that an earlier key verifies longer than `--overlap` allows: after a restored backup, no token that any of them
 * signed may be valid again. Audit keys are left out, because checkpoints are verified for ever.
 */
const outlives = ({ role, retiredFrom, verifyUntil }: StoredKey, from: number, typed: number | undefined): boolean =>
  typed !== undefined &&
  role !== 'audit' &&
  retiredFrom !== undefined &&
  (verifyUntil === undefined || verifyUntil > from + typed)

const verifiesAt = ({ retiredFrom, verifyUntil }: StoredKey, now: number): boolean =>
  retiredFrom !== undefined && (verifyUntil === undefined || verifyUntil > now)

/** Once it has been published for the lead; at once where no key signs that it could take over from. */
const startOf = (next: StoredKey, old: readonly StoredKey[], lead: number, now: number): number =>
  old.length === 0 ? now : Math.max(now, next.createdAt + lead)

const retiring = (key: StoredKey, retiredFrom: number, overlap: number | undefined): StoredKey => ({
  ...key,
  retiredFrom,
  ...(overlap === undefined ? {} : { verifyUntil: retiredFrom + overlap }),
})

/** A service that serves what CI signed takes no key that this does not list. */
const signAgain = (kid: string, activeFrom: number): string =>
  `Where a signed manifest is served (SVC_MANIFEST), sign it again first, before ${timeText(activeFrom)}: until it ` +
  `lists ${kid}, the service keeps the old key. Run svc keys list --jwks > production.jwks.json here, and where you ` +
  'sign: svc sign --jwks production.jwks.json'

function endOf(key: StoredKey, now: number): string {
  if (!verifiesAt(key, now)) return 'verifies no longer'
  return key.verifyUntil === undefined ? 'verifies without an end' : `verifies until ${timeText(key.verifyUntil)}`
}

async function usualOverlap(role: KeyRole, directory: string): Promise<number | undefined> {
  if (role === 'audit') return undefined
  if (role === 'manifest') return 31 * DAY
  const source = join(dirname(directory), 'svc.yaml')
  if ((await stat(source).catch(() => undefined)) === undefined) return DAY + HOUR
  const { manifest } = await (await import('../build/inputs.js')).checkedManifest(source, Date.now())
  return longestLife(manifest) + HOUR
}

/** Returns the longest lifetime of a service's tokens and grants, in ms. */
function longestLife({ limits, capabilities }: Manifest): number {
  const grants = Object.values(capabilities).map(
    ({ approval }) => (approval?.grant_policy.expires_in_seconds ?? 0) * 1000,
  )
  return Math.max(limits.max_ttl_hours * HOUR, ...grants)
}

const timeText = (ms: number): string => new Date(ms).toISOString()
