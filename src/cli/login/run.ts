import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { oneAtATime } from '../shared/locks/one-at-a-time.js'
import { printable } from '../shared/output/printable.js'
import { isTerminal, print, printError } from '../shared/output/print.js'
import { addressOf } from '../service/read-from-service.js'
import { openBrowser, signInByBrowser } from './browser.js'
import { signInByDevice } from './device.js'
import { keepLogin, lockOfLogins, loginAt, serviceKey, type Login, type SentToken } from '../service/logins/logins.js'
import {
  configurationOf,
  loginFrom,
  refuseSignIn,
  type Client,
  type ProviderTokens,
} from '../service/logins/provider.js'

export interface LoginOptions {
  readonly url?: string
  readonly issuer?: string
  readonly clientId?: string
  readonly scope?: string
  readonly resource?: string
  readonly send?: SentToken
  readonly device: boolean
  readonly browser: boolean
}

/** `svc login`: the credential is kept for this service, and is never printed. */
export async function login(options: LoginOptions): Promise<ExitCode> {
  const url = addressOf(options)
  const client = clientIn(options, loginAt(url))
  const configuration = await configurationOf(client)
  const signingIn = options.device
    ? signInByDevice(configuration, client, ({ address, code }) => tell(`Open ${address} and enter ${code}.`))
    : signInByBrowser(configuration, client, (address) => {
        tell(`Sign in at ${address}`)
        if (options.browser && isTerminal()) openBrowser(address)
      })
  const tokens = await signingIn.catch((error: unknown) => refuseSignIn(error))
  const made = loginFrom(client, tokens)
  await changing(() => keepLogin(url, made))
  print(`Signed in to ${serviceKey(url)}${asWhom(tokens)}, ${lasting(made)}.\n`)
  return EXIT.ok
}

/** The last login at this service says what the options do not. */
function clientIn({ issuer, clientId, scope, resource, send }: LoginOptions, last: Login | undefined): Client {
  const client = {
    issuer: issuer ?? process.env['SVC_OIDC_ISSUER'] ?? last?.issuer,
    clientId: clientId ?? process.env['SVC_OIDC_CLIENT_ID'] ?? last?.client_id,
    resource: resource ?? last?.resource,
  }
  if (client.issuer === undefined || client.issuer === '' || client.clientId === undefined || client.clientId === '')
    throw new CliError(
      'Name the identity provider of the service and this client there: --issuer and --client-id, or ' +
        'SVC_OIDC_ISSUER and SVC_OIDC_CLIENT_ID.',
    )
  return {
    issuer: client.issuer,
    clientId: client.clientId,
    ...(scope !== undefined && { scope }),
    ...(client.resource !== undefined && { resource: client.resource }),
    ...(send !== undefined && { send }),
  }
}

const tell = (text: string): void => void printError(`${printable(text)}\n`)

const asWhom = (tokens: ProviderTokens): string => {
  const claims = tokens.claims()
  const name = typeof claims?.['email'] === 'string' ? claims['email'] : claims?.sub
  return name === undefined ? '' : ` as ${printable(name)}`
}

const lasting = ({ expires_at, refresh_token }: Login): string =>
  refresh_token === undefined ? `until ${expires_at}` : 'renewed by itself'

const changing = (work: () => Promise<void>): Promise<void> =>
  oneAtATime(lockOfLogins(), 'Another command renews a login.', work)

/** `svc logout`: forgets the login at a service, and ends its refresh token where the provider offers that. */
export async function logout(options: { readonly url?: string }): Promise<ExitCode> {
  const url = addressOf(options)
  const last = loginAt(url)
  if (last === undefined) {
    print(`Nobody is signed in to ${serviceKey(url)}.\n`)
    return EXIT.ok
  }
  await changing(() => keepLogin(url, undefined))
  const isEnded = await endAtProvider(last)
  print(`Signed out of ${serviceKey(url)}.\n`)
  if (!isEnded) tell(`${last.issuer} was not told: what it gave lasts until it ends there.`)
  return EXIT.ok
}

async function endAtProvider({ issuer, client_id: clientId, refresh_token }: Login): Promise<boolean> {
  if (refresh_token === undefined) return true
  try {
    const configuration = await configurationOf({ issuer, clientId })
    if (configuration.serverMetadata().revocation_endpoint === undefined) return false
    await (await import('openid-client')).tokenRevocation(configuration, refresh_token)
    return true
  } catch {
    return false
  }
}
