import { ringKeysOf } from '../../crypto/keys/key-ring.js'
import { stateAt, type StoredKey } from '../../crypto/keys/stored-key.js'
import { verifyCheckpoint } from '../../crypto/merkle/checkpoint.js'
import { readCheckpoint } from '../../crypto/merkle/checkpoint-proofs.js'
import type { LastCheckpoint } from '../../protocol/published-keys.js'
import type { SecretRole } from '../../protocol/words.js'
import type { StoredSecret } from '../../crypto/keys/secret-key.js'
import { writeKeyFile, writeSecretFile } from '../../runtime/keys/key-directory.js'
import { say } from '../shared/output/say.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { directoryOf, keyNamed, keysIn, secretKeysIn, type DirectoryOption } from './directory.js'
import { recordIn } from '../verify/given.js'
import { readArtefact } from '../verify/read.js'
import { signatureJudge } from '../verify/signature-judge.js'
import { oneChangeAtATime } from './one-change.js'

export interface RetireOptions extends DirectoryOption {
  readonly keepVerifying: boolean
  /** A file. */
  readonly untilCheckpoint?: string
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
  const [secret, other] = (await secretKeysIn(directory)).filter(({ kid }) => kid.startsWith(beginning))
  const isSecret = other === undefined && !keys.some(({ publicJwk }) => publicJwk.kid.startsWith(beginning))
  if (secret !== undefined && isSecret) return endSecret(directory, secret, options)
  const key = keyNamed(keys, beginning, directory)
  const { kid } = key.publicJwk
  const isActive = (each: StoredKey): boolean => each.role === key.role && stateAt(each, now) === 'active'
  if (isActive(key) && !keys.some((each) => each !== key && isActive(each)))
    throw new CliError(
      `${kid} is the only active ${key.role} key. First: svc keys rotate --role ${key.role} --lead PT0S (or a ` +
        'lead that lets caches follow).',
    )
  const { untilCheckpoint: file } = options
  const last = file === undefined ? undefined : await lastCheckpoint(file, key, keys)
  const keepVerifying = options.keepVerifying || last !== undefined
  for (const each of keys) if (makesWayFor(key, each, now)) await signOn(directory, each)
  const { privateJwk: _, verifyUntil, ...publicPart } = key
  const retiredFrom = Math.min(key.retiredFrom ?? now, now)
  // What an audit key signed is verified for ever, so to keep it verifying is to give it no end.
  const until = keepVerifying ? (key.role === 'audit' ? undefined : verifyUntil) : now
  await writeKeyFile(directory, {
    ...publicPart,
    retiredFrom,
    ...(until === undefined ? {} : { verifyUntil: until }),
    ...(last === undefined ? {} : { untilCheckpoint: last }),
  })
  const what =
    last === undefined ? 'verifies on' : `counts up to checkpoint ${last.sequence} of ${last.entry_count} entries`
  say(`${kid} is retired: it ${keepVerifying ? what : 'verifies nothing any more'}; its private part is removed`)
  if (last !== undefined)
    say('Verifiers learn it from the signed manifest: sign and publish it again where you do that.')
  if (key.role === 'audit' && stateAt(key, now) !== 'next' && !keepVerifying)
    say(
      `Checkpoints and exports that ${kid} signed verify no more. To let them verify: svc keys retire ${kid} ` +
        '--keep-verifying, or --until-checkpoint <file> when it has leaked',
    )
  return EXIT.ok
}

/** Loss that ends a secret of a role brings. */
const LOST: { readonly [role in SecretRole]: string } = {
  rows: 'rows that it authenticated count no more',
  connections: 'people connect the accounts again whose tokens it encrypted',
}

async function endSecret(
  directory: string,
  secret: StoredSecret,
  { keepVerifying, untilCheckpoint }: RetireOptions,
): Promise<ExitCode> {
  const now = Date.now()
  const { kid, role } = secret
  const option = keepVerifying ? '--keep-verifying' : '--until-checkpoint'
  if (keepVerifying || untilCheckpoint !== undefined)
    throw new CliError(
      `${option} is for signing keys, and ${kid} is a ${role} secret: once it is removed, nothing that it authenticated ` +
        `counts. Nothing was retired. To replace it and keep its rows: svc keys rotate --role ${role}`,
    )
  const others = (await secretKeysIn(directory)).filter((each) => each.kid !== kid && each.role === role)
  if (!others.some((each) => stateAt(each, now) === 'active'))
    throw new CliError(`${kid} is the only active ${role} key. First: svc keys rotate --role ${role}`)
  const { secret: _, ...times } = secret
  await writeSecretFile(directory, { ...times, retiredFrom: Math.min(times.retiredFrom ?? now, now) })
  say(`${kid} is retired, and its secret is removed: ${LOST[role]}`)
  return EXIT.ok
}

/** The checkpoint that a file holds, when an audit key of the directory signed it. */
async function lastCheckpoint(file: string, key: StoredKey, keys: readonly StoredKey[]): Promise<LastCheckpoint> {
  if (key.role !== 'audit')
    throw new CliError(`${key.publicJwk.kid} is a ${key.role} key; only audit keys sign checkpoints.`)
  const record = recordIn(await readArtefact(file))
  const checkpoint = typeof record === 'string' ? undefined : readCheckpoint(record)
  if (checkpoint === undefined) throw new CliError(`--until-checkpoint ${file} is not a checkpoint.`)
  const audit = keys.filter(({ role }) => role === 'audit').map(({ publicJwk }) => publicJwk)
  const { verify, confirm } = signatureJudge()
  const signed = verifyCheckpoint(checkpoint, ringKeysOf(audit, 'audit'), verify)
  if (signed === undefined || (await confirm()).length > 0)
    throw new CliError(`--until-checkpoint ${file}: no audit key of this directory signed it.`)
  const { sequence, entry_count, merkle_root } = checkpoint
  return { sequence, entry_count, merkle_root }
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
