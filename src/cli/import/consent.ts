/** Consent of the person who imports an MCP server: its tools are listed with a token that is revoked afterwards. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { NotConnected } from '../../runtime/connections/asked-json.js'
import { configured, serverBehind, serverOf } from '../../runtime/connections/authorization-server.js'
import { beginConsent, endConsent, revoked } from '../../runtime/connections/authorize.js'
import type { ConnectionSettings } from '../../runtime/connections/settings.js'
import type { PinnedAddress } from '../../runtime/upstream/index.js'
import { callbackAt, CALLBACK_PATH, openBrowser } from '../login/browser.js'
import { CliError } from '../shared/errors/cli-error.js'
import { isTerminal, printError } from '../shared/output/print.js'
import { printable } from '../shared/output/printable.js'
import type { FoundServer } from './find-server.js'

/** A server that asks for the consent of each person, and what it asks for. */
export interface ConsentAsked {
  readonly issuer: string
  readonly scopes: readonly string[]
  readonly further: readonly string[]
}

/**
 * Adds the connection to a server that asks for consent (RFC 9728, 8414), unless the environment has one credential for
 * everybody. A server that does not answer is judged later.
 */
export async function withConsent(
  found: FoundServer,
): Promise<{ readonly found: FoundServer; readonly asked?: ConsentAsked }> {
  const { server, name } = found
  if (!('url' in server) || process.env[server.credential]) return { found }
  const behind = await serverBehind(server.url).catch((error: unknown) => {
    if (error instanceof NotConnected) throw new CliError(`${name} cannot be connected. ${error.message}`)
    return undefined
  })
  if (behind === undefined) return { found }
  const { scopes = [], further = [] } = behind
  const variable = `${name.toUpperCase()}_CONNECTION`
  const connection = {
    ...(further.length > 0 && { furtherScopes: further }),
    clientId: `${variable}_CLIENT_ID`,
    clientSecret: `${variable}_CLIENT_SECRET`,
  }
  return {
    found: { ...found, server: { ...server, connection } },
    asked: { issuer: behind.metadata.issuer, scopes, further },
  }
}

/** Variables of the environment that hold the client of a server which asks for consent. */
export const clientVariables = ({ connection }: PinnedAddress): readonly string[] =>
  [connection?.clientId, connection?.clientSecret].filter((name) => name !== undefined)

interface ConsentedToken {
  readonly token: string
  readonly end: () => Promise<unknown>
}

/** Asks the person in front of the terminal for their consent, in a browser. */
export async function consentedToken(name: string, server: PinnedAddress): Promise<ConsentedToken> {
  const settings = settingsOf(server)
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const origin = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  const own = { documentUrl: '', redirectUri: origin + CALLBACK_PATH, name: 'svc import', isNative: true } as const
  try {
    const { location, underWay } = await beginConsent(settings, own)
    printError(`${printable(name)} lists its tools to people who consent. Open ${printable(location)}\n`)
    if (isTerminal()) openBrowser(location)
    const callback = await callbackAt(listener, origin, { state: underWay.state, ...CONSENTING })
    const { tokens } = await endConsent(settings, underWay, callback.searchParams, Date.now())
    const end = async () => {
      const configuration = await configured(await serverOf(settings), tokens.client)
      return revoked(configuration, tokens.refresh_token ?? tokens.access_token)
    }
    return { token: tokens.access_token, end }
  } catch (error) {
    if (error instanceof CliError) throw error
    const why = error instanceof NotConnected ? error.message : 'Its authorization server gave no token.'
    const { credential } = server
    throw new CliError(
      `${name} lists its tools to people who consent. ${why} Or set ${credential} to one token for everybody.`,
    )
  } finally {
    listener.close()
    listener.closeAllConnections()
  }
}

function settingsOf({ url, connection = {} }: PinnedAddress): ConnectionSettings {
  const { clientId, clientSecret, scopes = [], furtherScopes: _, ...more } = connection
  const given = (name: string | undefined): string | undefined => (name === undefined ? undefined : process.env[name])
  return { ...more, address: url, scopes, clientId: given(clientId), clientSecret: given(clientSecret) }
}

const CONSENTING = {
  done: 'Consent given. You can close this page and go back to the terminal.\n',
  refused: 'No consent was given. The terminal says why.\n',
  late: 'No consent was given within 5 minutes. Run svc import again.',
}
