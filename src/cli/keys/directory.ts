import { nearest, question } from '../../compiler/nearest.js'
import type { StoredKey } from '../../crypto/keys/stored-key.js'
import type { StoredSecret } from '../../crypto/keys/secret-key.js'
import { readSecretFiles, readStoredKeyFiles } from '../../runtime/keys/key-directory.js'
import { CliError } from '../shared/errors/cli-error.js'
import { explained } from '../shared/errors/explained.js'

export interface DirectoryOption {
  readonly dir?: string
}

/** The key directory that a command is about. */
export const directoryOf = ({ dir }: DirectoryOption): string => dir ?? process.env['SVC_KEYS'] ?? 'keys'

/** Its keys, by file name. */
export const keysIn = (directory: string): Promise<readonly StoredKey[]> => explained(readStoredKeyFiles(directory))

/** Its secret keys, by file name. */
export const secretKeysIn = (directory: string): Promise<readonly StoredSecret[]> =>
  explained(readSecretFiles(directory))

/** The one key whose id begins so. */
export function keyNamed(keys: readonly StoredKey[], beginning: string, directory: string): StoredKey {
  const [key, another] = keys.filter(({ publicJwk }) => publicJwk.kid.startsWith(beginning))
  if (key === undefined) {
    const near = question(nearest(beginning, keys.map(({ publicJwk }) => publicJwk.kid))) // prettier-ignore
    throw new CliError(`${directory} has no key ${beginning}.${near} See: svc keys list`)
  }
  if (another !== undefined) throw new CliError(`Several keys begin with ${beginning}. Write more of the id.`)
  return key
}
