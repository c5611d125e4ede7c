/** Services whose agents use mailboxes of their people, at a real authorization server, and browsers that consent. */
import { afterAll, beforeAll } from 'vitest'
import { generateRingSecret } from '../../src/crypto/keys/secret-key.js'
import type { ConnectionSettings } from '../../src/runtime/connections/settings.js'
import { httpUpstream } from '../../src/runtime/upstream/index.js'
import { capability } from '../runtime/fixture/manifest.js'
import { KEYS, type Given, type Reading } from '../runtime/fixture/service.js'
import { startProvider } from '../console/provider-process.js'
import { startWorld, type Browser, type World } from '../console/world.js'

export const RING = { ...KEYS, secrets: [...KEYS.secrets, generateRingSecret('connections')] }

const FAILURES = { unsafe_parameter: 'No.', upstream_refused: 'No.', upstream_unavailable: 'No.' }
const extensions = { 'x-upstream': { connection: 'mail' }, 'x-failures': FAILURES }
const output = { type: 'mail', fields: [{ name: 'account', type: 'string' as const }] }
const grant_policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 1 } as const // prettier-ignore
const send = { output, extensions, side_effect: { type: 'write' as const } }

export const CAPABILITIES = {
  read_mail: capability({ output, extensions }),
  send_mail: capability(send),
  send_approved: capability({ ...send, approval: { required: 'always', grant_policy } }),
  read_shared: capability({ output, extensions: { ...extensions, 'x-upstream': { connection: 'shared' } } }),
}

export interface MailState {
  readonly sent: readonly string[]
  readonly reused: number
  readonly revoked: number
  readonly registered: number
}

/** The settings of the mailbox, which a test may replace. */
export const mail: { url: string; connection: ConnectionSettings } = {
  url: '',
  connection: { scopes: ['openid', 'email', 'mail.read'] },
}

/** Upstreams read their settings once: each file has a server, and upstreams, of its own. */
const upstreams = () => ({
  mail: httpUpstream('mail', () => ({
    url: mail.url,
    credential: { in: 'header', name: 'Authorization', scheme: 'Bearer', value: '', connection: mail.connection },
  })),
  /** One account for everybody: the environment has a credential. */
  shared: httpUpstream('shared', () => ({
    url: mail.url,
    credential: { in: 'header', name: 'Authorization', scheme: 'Bearer', value: 'none', connection: mail.connection },
  })),
})
let current = upstreams()
const operation = (method: string) => ({ method, path: '/mail/me', inputs: {}, output: { members: ['account'] } })

export const HANDLERS = {
  read_mail: (input: object, context: never) => current.mail.call(operation('GET'), input, context),
  read_shared: (input: object, context: never) => current.shared.call(operation('GET'), input, context),
  send_mail: (input: object, context: never) => current.mail.call(operation('POST'), input, context),
  send_approved: (input: object, context: never) => current.mail.call(operation('POST'), input, context),
}

/** An authorization server for the tests of a file. */
export function authorizationServer() {
  let provider: Awaited<ReturnType<typeof startProvider>>
  beforeAll(async () => {
    provider = await startProvider('../connections/authorization-server.js')
    mail.url = provider.issuer
    current = upstreams()
  }, 30_000)
  afterAll(() => provider.close())
  return {
    issuer: () => provider.issuer,
    /** Reads, and changes, how the server behaves. */
    control: async (changes: object = {}): Promise<MailState> => {
      const response = await fetch(`${provider.issuer}/control`, { method: 'POST', body: JSON.stringify(changes) })
      return (await response.json()) as MailState
    },
  }
}

/** The settings of a client that the server knows. */
export const publicClient = (issuer: string, more: Partial<ConnectionSettings> = {}): ConnectionSettings => ({
  issuer,
  clientId: 'svc-public',
  scopes: ['openid', 'email', 'mail.read'],
  furtherScopes: ['mail.send'],
  title: 'Mail',
  ...more,
})

export const startMail = (given: Given = {}, serving: { readonly publicUrl?: string } = {}): Promise<World> =>
  startWorld({
    given: { capabilities: CAPABILITIES, handlers: HANDLERS, keys: RING, ...given },
    options: { development: true },
    serving,
  })

const API = '/-/console/api/connections'
export const CALLBACK = '/-/console/connections/callback'

/** Opens the consent, and goes as far as the address that the browser comes back to. */
export async function consented(browser: Browser, url: string, account: string, upstream = 'mail'): Promise<string> {
  const begun = await browser.post(`${API}/connect`, { upstream })
  if (begun.status !== 200) throw new Error(begun.text)
  return followed(browser, begun.body['location'] as unknown as string, `${url}${CALLBACK}`, account)
}

/** Goes on from the page of a server, picks an account, and returns the address that leads back. */
export async function followed(browser: Browser, from: string, back: string, account: string): Promise<string> {
  let location = from
  for (let step = 0; step < 10 && !location.startsWith(back); step++) {
    const seen = await browser.get(location)
    const next = seen.headers.get('location') ?? /href="(\/pick\/[\w-]+\/)/u.exec(seen.text)?.[1]?.concat(account)
    if (next === undefined) throw new Error(`${location}: ${seen.text}`)
    location = new URL(next, location).href
  }
  return location
}

/** Signs a person in by their API key, and connects an account; returns the page that they come back to. */
export async function connectedAs(
  world: World,
  key: string,
  account: string,
  upstream?: string,
): Promise<Browser & { readonly page: string }> {
  const browser = world.browser()
  await browser.byKey(key)
  const back = await browser.get(await consented(browser, world.url, account, upstream))
  return { ...browser, page: back.headers.get('location') ?? back.text }
}

export const listed = async (browser: Browser): Promise<Reading> => (await browser.get(API)).body

/** A token of a person's agent, and its calls. */
export async function agentOf({ fixture }: World, key: string, subject = 'agent:desk') {
  const { body } = await fixture.post('/svc/tokens', key, { scope: ['travel.search'], subject })
  const token = String(body['token'])
  return {
    token,
    call: async (name: string, more: object = {}) => {
      const { status, body: answer } = await fixture.invoke(name, token, { parameters: {}, ...more })
      const { type, retry, detail, connection_url, resolution } = answer['failure'] ?? ({} as Reading)
      return { status, account: answer['result']?.['account'], type, retry, detail, connection_url, resolution }
    },
  }
}
