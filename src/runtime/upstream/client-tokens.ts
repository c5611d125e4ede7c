import type { Configuration, CustomFetch } from 'openid-client'
import { parsedAddress } from '../../protocol/address.js'
import { outwardFetch } from '../net/outward-fetch.js'
import { bodyAtMost } from '../net/read-at-most.js'

/** A client of the authorization server of a service behind (RFC 6749, section 4.4). */
export interface ClientCredentials {
  readonly tokenUrl?: string
  /** The address of the server or of its metadata, in the place of `tokenUrl`. */
  readonly discoveryUrl?: string
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  readonly scope?: string
}

export interface ClientTokens {
  /** The token that counts now; one that is about to end is renewed, once for all who wait. */
  readonly token: () => Promise<string>
  readonly forget: () => void
}

const TIMEOUT_S = 10
const MOST_BYTES = 256 * 1024
/** Of a token whose server does not say how long it counts. */
const USUAL_MS = 5 * 60_000
const EARLY_MS = 30_000

interface Held {
  readonly value: string
  readonly until: number
}

export function clientTokens(client: ClientCredentials, now: () => number = Date.now): ClientTokens {
  let configured: Promise<Configuration> | undefined
  let held: Held | undefined
  let fetching: Promise<Held> | undefined
  const fetched = async (): Promise<Held> => {
    const { clientCredentialsGrant } = await import('openid-client')
    const configuration = await (configured ??= configuredFor(client))
    const answer = await clientCredentialsGrant(
      configuration,
      client.scope === undefined ? {} : { scope: client.scope },
    )
    const lasts = answer.expires_in === undefined ? USUAL_MS : answer.expires_in * 1000
    return { value: answer.access_token, until: now() + Math.max(lasts - EARLY_MS, lasts / 2) }
  }
  return {
    forget: () => void (held = undefined),
    token: async () => {
      if (held !== undefined && now() < held.until) return held.value
      fetching ??= fetched().finally(() => void (fetching = undefined))
      held = await fetching.catch((error: unknown) => {
        configured = undefined
        throw error
      })
      return held.value
    },
  }
}

const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/u

/** The secret goes over https only, unless to this machine. */
async function configuredFor({
  tokenUrl,
  discoveryUrl,
  clientId,
  clientSecret,
}: ClientCredentials): Promise<Configuration> {
  const openid = await import('openid-client')
  const url = parsedAddress(tokenUrl ?? discoveryUrl ?? '')
  const isLoopback = url?.protocol === 'http:' && LOOPBACK.test(url.hostname)
  if (url === undefined || (url.protocol !== 'https:' && !isLoopback))
    throw new Error('The address of the authorization server must be https, or a loopback address.')
  const authentication = openid.ClientSecretBasic(clientSecret)
  const execute = isLoopback ? [openid.allowInsecureRequests] : []
  if (tokenUrl === undefined)
    return openid.discovery(url, clientId!, undefined, authentication, {
      execute,
      timeout: TIMEOUT_S,
      [openid.customFetch]: boundedFetch,
    })
  const configuration = new openid.Configuration(
    { issuer: url.origin, token_endpoint: url.href },
    clientId!,
    undefined,
    authentication,
  )
  configuration.timeout = TIMEOUT_S
  configuration[openid.customFetch] = boundedFetch
  for (const each of execute) each(configuration)
  return configuration
}

const boundedFetch: CustomFetch = async (
  url,
  { method, headers, body, signal = AbortSignal.timeout(TIMEOUT_S * 1000) },
) => {
  const init = {
    method,
    headers,
    signal,
    redirect: 'manual' as const,
    ...(body ? { body: String(body as URLSearchParams) } : {}),
  }
  const response = await outwardFetch(url, init)
  const bytes = await bodyAtMost(response, MOST_BYTES)
  if (bytes === undefined) throw new Error(`The authorization server answered more than ${MOST_BYTES} bytes.`)
  const hasBody = ![101, 204, 205, 304].includes(response.status)
  return new Response(hasBody ? new Uint8Array(bytes) : null, { status: response.status, headers: response.headers })
}
