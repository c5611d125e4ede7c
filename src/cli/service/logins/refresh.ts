import { CliError } from '../../shared/errors/cli-error.js'
import { oneAtATime } from '../../shared/locks/one-at-a-time.js'
import { keepLogin, lockOfLogins, loginAt, serviceKey, type Login } from './logins.js'
import { configurationOf, loginFrom } from './provider.js'
import { shellWord } from '../../../protocol/shell.js'

/** A credential that ends so soon is not sent any more: it would end on its way. */
const MARGIN_MS = 30_000

/** The credential of the login at a service, renewed when it has ended; undefined where nobody signed in. */
export async function loginCredential(url: string): Promise<string | undefined> {
  const login = loginAt(url)
  if (login === undefined || isFresh(login)) return login?.credential
  return oneAtATime(lockOfLogins(), 'Another command renews a login.', async () => {
    const now = loginAt(url)
    if (now === undefined || isFresh(now)) return now?.credential
    const renewed = await renew(url, now)
    await keepLogin(url, renewed)
    return renewed.credential
  })
}

const isFresh = ({ expires_at }: Login): boolean => Date.parse(expires_at) - Date.now() > MARGIN_MS

async function renew(url: string, login: Login): Promise<Login> {
  const { issuer, client_id: clientId, send, resource, refresh_token } = login
  const again = `svc login --url ${shellWord(serviceKey(url))} --issuer ${shellWord(issuer)} --client-id ${shellWord(clientId)}`
  if (refresh_token === undefined)
    throw new CliError(`The login at ${serviceKey(url)} has ended. Sign in again: ${again}`)
  const client = { issuer, clientId, send, ...(resource !== undefined && { resource }) }
  const configuration = await configurationOf(client)
  const openid = await import('openid-client')
  const tokens = await openid
    .refreshTokenGrant(configuration, refresh_token, resource === undefined ? {} : { resource })
    .catch((error: unknown) => {
      if (!(error instanceof openid.ResponseBodyError))
        throw new CliError(`${issuer} does not answer: ${String((error as Error).message)}.`)
      throw new CliError(
        `The login at ${serviceKey(url)} could not be renewed (${error.error}). Sign in again: ${again}`,
      )
    })
  return loginFrom(client, tokens, login)
}
