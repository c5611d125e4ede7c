import { stateAt } from '../../crypto/keys/stored-key.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { LOCK, lockText, readLock } from '../shared/locks/lock.js'
import { say } from '../shared/output/say.js'
import { replaceFile } from '../shared/files/replace-file.js'
import { directoryOf, keysIn, type DirectoryOption } from './directory.js'

const KID = /^[\w-]{43}$/u

/**
 * Writes into the lock which keys may sign the manifest; the next build pins them in the client (decisions, section
 * 14).
 */
export async function pin(given: readonly string[], options: DirectoryOption): Promise<ExitCode> {
  const lock = readLock('.', LOCK)
  if (lock === undefined) throw new CliError(`There is no ${LOCK} in this folder. Make it with: svc build`)
  const kids = given.length > 0 ? given : await signingKids(directoryOf(options))
  const wrong = kids.find((kid) => !KID.test(kid))
  if (wrong !== undefined) throw new CliError(`${wrong} is no key id. See: svc keys list --role manifest --kids`)
  await replaceFile(LOCK, lockText({ ...lock, manifest_keys: [...new Set(kids)] }))
  for (const kid of kids) say(`pinned ${kid}`)
  say('Commit svc.lock.json, and run: svc build')
  return EXIT.ok
}

async function signingKids(directory: string): Promise<readonly string[]> {
  const now = Date.now()
  const keys = (await keysIn(directory)).filter((key) => key.role === 'manifest' && stateAt(key, now) !== 'retired')
  if (keys.length === 0) throw new CliError(`${directory} has no manifest key. Name the ids: svc keys pin <kid>`)
  return keys.map(({ publicJwk }) => publicJwk.kid)
}
