/** With which credential the commands of the day ask a service; never one from the command line. */
import { readFileSync } from 'node:fs'
import { CliError } from '../shared/errors/cli-error.js'
import { shellWord } from '../../protocol/shell.js'

/** The credential of `SVC_TOKEN_FILE`, of `SVC_TOKEN`, else of the login at this service. */
export async function credentialFor(url: string): Promise<string> {
  const own = environmentCredential() ?? (await (await import('./logins/refresh.js')).loginCredential(url))
  if (own !== undefined) return own
  throw new CliError(
    `There is no credential. Set SVC_TOKEN_FILE to a file that holds one, or SVC_TOKEN, or sign in: svc login --url ${shellWord(url)}`,
  )
}

function environmentCredential(): string | undefined {
  const { SVC_TOKEN_FILE: file, SVC_TOKEN: token } = process.env
  if (file === undefined || file === '') return token === '' ? undefined : token
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new CliError(
      `The credential in ${file} cannot be read: ${(error as Error).message}. SVC_TOKEN_FILE names it.`,
    )
  }
}
