import { usableAddress } from '../../client/base-url.js'
import { CliError } from '../shared/errors/cli-error.js'

/**
 * Returns the service's address, with or without the MCP path. Refuses credentials in it, which anyone on the machine
 * could read.
 */
export function serviceAddress(url: string): string {
  if (URL.canParse(url)) {
    const { username, password, search, hash } = new URL(url)
    if (username !== '' || password !== '' || search !== '' || hash !== '')
      throw new CliError(
        'The address takes no user, password, query or fragment: credentials come from SVC_TOKEN_FILE.',
      )
  }
  try {
    return usableAddress(url, true, false).replace(/\/mcp$/u, '')
  } catch (error) {
    throw error instanceof TypeError ? new CliError(error.message) : error
  }
}
