import { usableAddress } from '../../client/base-url.js'
import { CliError } from '../shared/errors/cli-error.js'

/**
 * Where the service is, with or without the path of MCP. A credential in it would be seen by everybody on the machine.
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
