/** A service whose people sign in at a real identity provider, and MCP clients that find their way there by themselves. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { onTestFinished } from 'vitest'
import { sha256Hex } from '../../src/crypto/json/digest.js'
import type { McpOptions } from '../../src/runtime/surfaces/mcp/index.js'
import { API_KEYS, type Given } from '../runtime/fixture/service.js'
import { startWorld } from './mcp-world.js'

export interface Provider {
  readonly issuer: string
  readonly process: ChildProcess
}

export async function startProvider(): Promise<Provider> {
  const { NODE_OPTIONS: _, ...env } = process.env
  const child = spawn(process.execPath, ['test/surfaces/identity-provider.js'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env,
  })
  const [line] = (await once(child.stdout!.setEncoding('utf8'), 'data')) as [string]
  return { issuer: line.trim(), process: child }
}

export const PROFILE = {
  scope: ['travel.search'],
  budget: { currency: 'EUR', max_amount: 100 },
  providerScopes: ['use'],
} as const

/** Beside the usual ones, one of whom the provider calls ana. */
const KEYS = [...API_KEYS, { id: 'mail', sha256: sha256Hex('mail-key'), principal: 'human:ana@example.org' as const }]

export const AUDIENCE = 'https://svc.example'

/** The service at an address that is known before it starts: tokens are issued for it. */
export async function startSignIn({ issuer }: Provider, given: Given = {}, options: McpOptions = {}) {
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const oidc = given.oidc ?? [{ issuer, audience: AUDIENCE }]
  return startWorld({ apiKeys: KEYS, ...given, oidc }, { publicUrl, profile: PROFILE, ...options }, port)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** What a client keeps of a sign-in. */
interface Kept {
  registration?: { readonly client_id: string }
  tokens?: { readonly access_token: string }
  verifier?: string
  /** What the provider sent the person back with. */
  callback?: URLSearchParams
}

/** The person in front of a client, who follows every redirect and consents. */
export function person(name: string) {
  const kept: Kept = {}
  const auth: OAuthClientProvider = {
    redirectUrl: 'https://client.example/callback',
    clientMetadata: {
      client_name: 'An editor',
      redirect_uris: ['https://client.example/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => kept.registration,
    saveClientInformation: (registration) => void (kept.registration = registration),
    tokens: () => kept.tokens as never,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier!,
    redirectToAuthorization: async (url) => void (kept.callback = await callbackAfter(url, name)),
  }
  return { auth, kept }
}

const MOST_REDIRECTS = 10

async function callbackAfter(first: URL, name: string): Promise<URLSearchParams> {
  first.searchParams.set('login_hint', name)
  const cookies = new Map<string, string>()
  let url = first
  for (let n = 0; n < MOST_REDIRECTS; n++) {
    const cookie = Array.from(cookies, ([key, value]) => `${key}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${url.href} answered ${response.status}: ${await response.text()}`)
    url = new URL(location, url)
    if (url.searchParams.has('code')) return url.searchParams
    if (url.searchParams.has('error')) throw new Error(url.href)
  }
  throw new Error('The sign-in does not end.')
}

/** Ends a client with its test. */
export const closing = <Closed extends { close(): Promise<void> }>(client: Closed): Closed => {
  onTestFinished(() => client.close())
  return client
}
