/**
 * The identity provider as the console meets it: a code, a proof of possession, an ID token (OpenID Connect Core,
 * section 3.1).
 */
import type { Configuration, CustomFetch } from 'openid-client'
import type { IdentityProvider, Known } from '../runtime/credentials/known.js'
import { nameAndCode } from '../runtime/errors/reason.js'
import { refuse } from '../runtime/errors/refusal.js'
import { StartUpError } from '../runtime/errors/start-up-error.js'
import type { Service } from '../runtime/service.js'
import type { ConsoleOptions } from './options.js'

/** State that the browser keeps while it is at the provider. */
export interface UnderWay {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export interface ConsoleProvider {
  readonly issuer: string
  /** Begins a sign-in: returns the provider's address, and the state needed on return. */
  begin(redirectUri: string): Promise<{ readonly location: string; readonly underWay: UnderWay }>
  /** Returns the person who signed in; undefined if the service does not know them. */
  finish(callback: URL, underWay: UnderWay): Promise<Known | undefined>
}

const TIMEOUT_S = 5

/** The provider that people sign in at, if the console is a client there. */
export function consoleProvider(service: Service, options: ConsoleOptions): ConsoleProvider | undefined {
  const { clientId, clientSecret, scope = 'openid email' } = options
  if (clientId === undefined || clientId === '') return undefined
  const provider = providerOf(service, options)
  const configured = onceItAnswers(async () => {
    const openid = await import('openid-client')
    const authentication =
      clientSecret === undefined || clientSecret === '' ? openid.None() : openid.ClientSecretBasic(clientSecret)
    const execute = provider.issuer.startsWith('http:') ? [openid.allowInsecureRequests] : []
    const settings = { execute, timeout: TIMEOUT_S, [openid.customFetch]: fetchBy(provider) }
    return openid.discovery(new URL(provider.issuer), clientId, undefined, authentication, settings)
  })
  const reached = (): Promise<Configuration> =>
    configured().catch((error: unknown) => {
      service.log.warn('The identity provider did not answer the console.', { error: nameAndCode(error) })
      return refuse('service_unavailable', 'The identity provider does not answer. Try again in a moment.')
    })
  return {
    issuer: provider.issuer,
    begin: async (redirectUri) => beginAt(await reached(), redirectUri, scope),
    finish: async (callback, underWay) => {
      const idToken = await idTokenFrom(await reached(), callback, underWay).catch((error: unknown) => {
        service.log.info('A sign-in to the console failed.', { error: nameAndCode(error) })
        return refuse('authentication_required', 'The sign-in did not succeed. Begin it again.')
      })
      return provider.vouchedFor(idToken, clientId)
    },
  }
}

/** The token endpoint gets the secret of the console: it is reached as the provider's keys are, wherever it is named. */
const fetchBy =
  ({ fetch }: IdentityProvider): CustomFetch =>
  (url, { method, headers, body, signal = AbortSignal.timeout(TIMEOUT_S * 1000) }) =>
    fetch(url, { method, headers, ...(body ? { body: String(body as URLSearchParams) } : {}), signal })

function providerOf({ providers }: Service, { issuer }: ConsoleOptions): IdentityProvider {
  const found = issuer === undefined ? providers : providers.filter((each) => each.issuer === issuer)
  if (found.length === 1) return found[0]!
  throw new StartUpError(
    issuer === undefined
      ? `The console has a clientId, and the service has ${providers.length} OIDC providers: name the issuer that ` +
          'people sign in at.'
      : `The console names the issuer ${JSON.stringify(issuer)}, which is none of the OIDC providers of the service.`,
  )
}

async function beginAt(configuration: Configuration, redirectUri: string, scope: string) {
  const openid = await import('openid-client')
  const verifier = openid.randomPKCECodeVerifier()
  const underWay: UnderWay = { state: openid.randomState(), nonce: openid.randomNonce(), verifier }
  const location = openid.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state: underWay.state,
    nonce: underWay.nonce,
  })
  return { location: location.href, underWay }
}

async function idTokenFrom(configuration: Configuration, callback: URL, { state, nonce, verifier }: UnderWay) {
  const openid = await import('openid-client')
  const { id_token } = await openid.authorizationCodeGrant(configuration, callback, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  })
  return id_token ?? refuse('authentication_required', 'The identity provider gave no ID token.')
}

/** Caches a successful read; repeats a failed one. */
function onceItAnswers<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () =>
    (reading ??= read().catch((error: unknown) => {
      reading = undefined
      throw error
    }))
}
