import type { Json, JsonObject } from '../protocol/manifest.js'
import type { TokenResponse } from '../protocol/token.js'

/** The bootstrap credentials that a run may use. */
export interface Credentials {
  /** A person entitled to every minimum scope. */
  readonly developer: string
  /** Another person, entitled to approve. */
  readonly approver?: string
  /** An agent that is entitled to less than the developer. */
  readonly agent?: string
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; undefined when it is none. */
  readonly body: LooseJson
}

/** JSON that a case reads at will: every member may be absent. */
export type LooseJson = { readonly [name: string]: LooseJson } & string &
  number &
  boolean &
  readonly LooseJson[] &
  undefined

export interface RequestOptions {
  readonly method?: string
  readonly bearer?: string | undefined
  readonly body?: unknown
  /** A body as it is, instead of `body`. */
  readonly text?: string
  readonly headers?: { readonly [name: string]: string }
}

/** The service under test, as its own documents describe it. Nothing but HTTP reaches it. */
export interface ServiceUnderTest {
  readonly url: string
  readonly credentials: Credentials
  readonly discovery: LooseJson
  readonly manifest: LooseJson
  readonly scopes: readonly string[]
  send(path: string, send?: RequestOptions): Promise<Reply>
  post(path: string, bearer: string | undefined, body?: unknown): Promise<Reply>
  /** A root token of the developer with every minimum scope, and what is asked besides. */
  root(body?: JsonObject): Promise<TokenResponse>
  invoke(name: string, bearer: string, body?: unknown, headers?: RequestOptions['headers']): Promise<Reply>
}

const TIMEOUT_MS = 10_000

/**
 * Reads the documents of a service; each result of a call is told to `learn`. Rejects when there is none, or no token
 * can be had.
 */
export async function connectToService(
  base: string,
  credentials: Credentials,
  learn: (manifest: LooseJson, result: LooseJson | undefined) => void = () => undefined,
): Promise<ServiceUnderTest> {
  const url = base.replace(/\/+$/u, '')
  const send = (path: string, request: RequestOptions = {}) => exchange(`${url}${path}`, request)
  const post = (path: string, bearer: string | undefined, body?: unknown) =>
    send(path, { method: 'POST', bearer, body })
  const discovery = (await send('/.well-known/svc')).body['svc_discovery'] as LooseJson
  const manifest = (await send('/svc/manifest')).body
  const scopes = [...new Set(entriesOf(manifest['capabilities']).flatMap(([, each]) => textsIn(each['minimum_scope'])))]
  const root = async (body: JsonObject = {}) =>
    issued(await post('/svc/tokens', credentials.developer, { scope: scopes, ...body }))
  const invoke: ServiceUnderTest['invoke'] = async (name, bearer, body = { parameters: {} }, headers = {}) => {
    const reply = await send(`/svc/invoke/${name}`, { method: 'POST', bearer, body, headers })
    if (reply.status === 200) learn(manifest, reply.body?.['result'])
    return reply
  }
  return { url, credentials, discovery, manifest, scopes, send, post, root, invoke }
}

/** The token of a reply, or an error that shows the reply. */
export function issued(reply: Reply): TokenResponse {
  if (reply.status !== 200) throw new Error(`no token: ${reply.status} ${reply.text.slice(0, 300)}`)
  return reply.body as unknown as TokenResponse
}

async function exchange(
  url: string,
  { method = 'GET', bearer, body, text, headers = {} }: RequestOptions,
): Promise<Reply> {
  const content = text ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(url, {
    method,
    headers: {
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(content !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(content !== undefined && { body: content }),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const answer = await response.text()
  return { status: response.status, headers: response.headers, text: answer, body: parsed(answer) }
}

function parsed(text: string): LooseJson {
  const isJson = /^\s*[[{]/u.test(text)
  return (isJson ? (JSON.parse(text) as Json) : undefined) as unknown as LooseJson
}

export const entriesOf = (value: LooseJson | undefined): readonly (readonly [string, LooseJson])[] =>
  Object.entries((value ?? {}) as { readonly [name: string]: LooseJson })

export const textsIn = (value: LooseJson | undefined): readonly string[] =>
  Array.isArray(value) ? (value as string[]) : []
