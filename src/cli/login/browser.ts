/** The authorization code flow with PKCE on a loopback listener (RFC 8252, section 7.3; RFC 7636). */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Configuration } from 'openid-client'
import { CliError } from '../shared/errors/cli-error.js'
import { askedParameters, type Client, type ProviderTokens } from '../service/logins/provider.js'

export const CALLBACK_PATH = '/callback'
const WITHIN_MS = 300_000

/** Sends the browser to the provider, and takes the code that comes back. */
export async function signInByBrowser(
  configuration: Configuration,
  client: Client,
  show: (address: string) => void,
): Promise<ProviderTokens> {
  const openid = await import('openid-client')
  const [verifier, state, nonce] = [openid.randomPKCECodeVerifier(), openid.randomState(), openid.randomNonce()]
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const address = openid.buildAuthorizationUrl(configuration, {
    ...askedParameters(configuration, client),
    redirect_uri: origin + CALLBACK_PATH,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  })
  show(address.href)
  try {
    const callback = await callbackAt(server, origin, { state, ...SIGNING_IN })
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true }
    return await openid.authorizationCodeGrant(configuration, callback, checks, resourceOf(client))
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

const resourceOf = ({ resource }: Client): Record<string, string> => (resource === undefined ? {} : { resource })

/** An answer that is waited for, and what its person reads in the browser and in the terminal. */
interface AwaitedAnswer {
  readonly state: string
  readonly done: string
  readonly refused: string
  readonly late: string
}

/** The first request that carries our state; what others on this machine send is not listened to. */
export function callbackAt(
  server: Server,
  origin: string,
  { state, done, refused, late }: AwaitedAnswer,
): Promise<URL> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new CliError(late)), WITHIN_MS)
    server.on('request', ({ method, url = '/', headers: { host } }, response) => {
      const isOurs = method === 'GET' && host === new URL(origin).host && URL.canParse(url, origin)
      const callback = isOurs ? new URL(url, origin) : undefined
      if (callback?.pathname !== CALLBACK_PATH || callback.searchParams.get('state') !== state)
        return void response.writeHead(404, HEADERS).end('Not found.')
      clearTimeout(timer)
      const isRefused = callback.searchParams.has('error')
      return void response.writeHead(200, HEADERS).end(isRefused ? refused : done, () => resolve(callback))
    })
  })
}

const HEADERS = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
}
const SIGNING_IN = {
  done: 'Signed in. You can close this page and go back to the terminal.\n',
  refused: 'Not signed in. The terminal says why.\n',
  late: 'Nobody signed in within 5 minutes. Run svc login again; --device signs in from another machine.',
}

const OPENERS: { readonly [platform: string]: readonly string[] } = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens the address in the browser of the user, where there is one; it is printed all the same. */
export function openBrowser(address: string): void {
  const [command = 'xdg-open', ...args] = OPENERS[process.platform] ?? ['xdg-open']
  spawn(command, [...args, address], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref()
}
