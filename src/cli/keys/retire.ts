import { stateAt, type StoredKey } from '../../crypto/keys/stored-key.js'
import { writeKeyFile } from '../../runtime/keys/key-directory.js'
import { say } from '../generate/say.js'
import { CliError, EXIT, type ExitCode } from '../cli-error.js'
import { directoryOf, keyNamed, keysIn, type DirectoryOption } from './directory.js'
import { oneChangeAtATime } from './one-change.js'

export interface RetireOptions extends DirectoryOption {
  readonly keepVerifying: boolean
}

/**
 * Ends a key at once. The last active key of a role is kept: without one the service could not sign. When the key was
 * to sign from a later time on, the change to it is called off.
 */
export function retire(beginning: string, options: RetireOptions): Promise<ExitCode> {
  const directory = directoryOf(options)
  return oneChangeAtATime(directory, () => end(directory, beginning, options))
}

async function end(directory: string, beginning: string, options: RetireOptions): Promise<ExitCode> {
  const now = Date.now()
  const keys = await keysIn(directory)
  const key = keyNamed(keys, beginning, directory)
  const { kid } = key.publicJwk
  const isActive = (each: StoredKey): boolean => each.role === key.role && stateAt(each, now) === 'active'
  if (isActive(key) && !keys.some((each) => each !== key && isActive(each)))
    throw new CliError(
      `${kid} is the only active ${key.role} key. First: svc keys rotate --role ${key.role} --lead PT0S (or a ` +
        'lead that lets caches follow).',
    )
  for (const each of keys) if (makesWayFor(key, each, now)) await signOn(directory, each)
  const { privateJwk: _, verifyUntil, ...publicPart } = key
  const retiredFrom = Math.min(key.retiredFrom ?? now, now)
  // What an audit key signed is verified for ever, so to keep it verifying is to give it no end.
  const until = options.keepVerifying ? (key.role === 'audit' ? undefined : verifyUntil) : now
  await writeKeyFile(directory, { ...publicPart, retiredFrom, ...(until === undefined ? {} : { verifyUntil: until }) })
  say(
    `${kid} is retired: it ${options.keepVerifying ? 'verifies on' : 'verifies nothing any more'}; its private ` +
      'part is removed',
  )
  if (key.role === 'audit' && stateAt(key, now) !== 'next' && !options.keepVerifying)
    say(
      `Checkpoints and exports that ${kid} signed verify no more. To let them verify: svc keys retire ${kid} ` +
        '--keep-verifying',
    )
  return EXIT.ok
}

/** Holds when `old` is to end at the very time from which `scheduled`, which does not sign yet, was to sign. */
const makesWayFor = (scheduled: StoredKey, old: StoredKey, now: number): boolean =>
  stateAt(scheduled, now) === 'next' &&
  scheduled.activeFrom !== undefined &&
  old.role === scheduled.role &&
  old.retiredFrom === scheduled.activeFrom

async function signOn(directory: string, { retiredFrom: _, verifyUntil: __, ...key }: StoredKey): Promise<void> {
  await writeKeyFile(directory, key)
  say(`${key.publicJwk.kid} signs on: the change of the ${key.role} key is called off`)
}
