import { MissingSigningKey } from '../../../crypto/keys/key-ring.js'
import { KeyTrouble } from '../../../runtime/keys/key-directory.js'
import { CliError } from './cli-error.js'

/** Trouble with keys is for the user to fix: it ends a command with code 2 and its message. */
export const explained = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    if (error instanceof KeyTrouble || error instanceof MissingSigningKey) throw new CliError(error.message)
    throw error
  })
