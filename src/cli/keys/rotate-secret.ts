import { stateAt } from '../../crypto/keys/stored-key.js'
import { generateSecret } from '../../crypto/keys/secret-key.js'
import type { SecretRole } from '../../protocol/words.js'
import { writeSecretFile } from '../../runtime/keys/key-directory.js'
import { say } from '../shared/output/say.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { secretKeysIn } from './directory.js'
import { leadOf } from './lengths.js'

/**
 * Schedules the change of a secret (decisions, section 20). The new one is used after the lead time, by when every
 * replica has read it; the old one keeps what it authenticated until it is retired.
 */
export async function rotateSecret(
  directory: string,
  role: SecretRole,
  { lead, overlap }: { readonly lead?: string; readonly overlap?: string },
): Promise<ExitCode> {
  if (overlap !== undefined)
    throw new CliError(
      `--overlap is for signing keys: the old ${role} secret keeps what it authenticated until you end it with ` +
        'svc keys retire. Leave the option out.',
    )
  const now = Date.now()
  const active = (await secretKeysIn(directory)).filter((each) => each.role === role && stateAt(each, now) === 'active')
  const activeFrom = active.length === 0 ? now : now + leadOf(lead)
  const next = { ...generateSecret(role, now), activeFrom }
  await writeSecretFile(directory, next)
  for (const old of active) await writeSecretFile(directory, { ...old, retiredFrom: activeFrom })
  say(`${next.kid} is used for ${role} from ${new Date(activeFrom).toISOString()}`)
  for (const { kid } of active) say(`${kid} verifies on; end it with: svc keys retire ${kid}`)
  return EXIT.ok
}
