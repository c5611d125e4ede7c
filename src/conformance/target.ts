import { FAILURES } from '../protocol/failures.js'
import type { Json, JsonObject } from '../protocol/manifest.js'
import type { TokenResponse } from '../protocol/token.js'
import { cannotTry, doesNotApply } from './outcomes.js'

/** The bootstrap credentials that a run may use. */
export interface Credentials {
  /** A person or an agent, at best entitled to every minimum scope. */
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
  /** Minimum scopes that the developer's credential may have in one token. */
  readonly scopes: readonly string[]
  /** Principal of the developer's credential; undefined if it may have no token. */
  readonly principal: string | undefined
  send(path: string, send?: RequestOptions): Promise<Reply>
  post(path: string, bearer: string | undefined, body?: unknown): Promise<Reply>
  /** A root token of the developer with every minimum scope that it may have, and what is asked besides. */
  root(body?: JsonObject): Promise<TokenResponse>
  /** Calls a capability, as a stream if it answers in no other way. */
  invoke(name: string, bearer: string, body?: unknown, headers?: RequestOptions['headers']): Promise<Reply>
  /** Withdraws the approvals that calls have asked for, so that no later call meets them. */
  withdraw(): Promise<void>
}

/** Longer than a service gives a unary call. */
const TIMEOUT_MS = 40_000

export interface Connecting {
  /** Called with each result of a call. */
  readonly learn?: (manifest: LooseJson, result: LooseJson | undefined) => void
  /** Waits as long as a service asks for. */
  readonly wait?: (ms: number) => Promise<void>
}

const elapsed = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Reads the documents of a service. Rejects when there are none, and when a credential is refused. */
export async function connectToService(
  base: string,
  credentials: Credentials,
  { learn = () => undefined, wait = elapsed }: Connecting = {},
): Promise<ServiceUnderTest> {
  const url = base.replace(/\/+$/u, '')
  const send: ServiceUnderTest['send'] = (path, request = {}) =>
    patiently(() => exchange(`${url}${path}`, request), wait)
  const post: ServiceUnderTest['post'] = (path, bearer, body) => send(path, { method: 'POST', bearer, body })
  const discovery = (await send('/.well-known/svc')).body['svc_discovery'] as LooseJson
  const { scopes, bearer, principal } = await entitlement(post, credentials.developer, discovery)
  const manifest = (await send('/svc/manifest', { bearer: bearer ?? credentials.developer })).body
  for (const each of [credentials.approver, credentials.agent])
    if (each !== undefined && (await post('/svc/tokens', each, { scope: ['none'] })).status === 401)
      throw new Error('the credential of the approver or the agent is refused')
  const root: ServiceUnderTest['root'] = async (body = {}) => {
    if (scopes.length === 0) cannotTry('the credential may have no minimum scope of the service')
    return issued(await post('/svc/tokens', credentials.developer, { scope: scopes, ...body }))
  }
  const raised = new Map<string, string>()
  const invoke: ServiceUnderTest['invoke'] = async (name, by, body = { parameters: {} }, headers = {}) => {
    const request = {
      method: 'POST',
      bearer: by,
      body: streamedIfNeeded(manifest['capabilities']?.[name], body),
      headers,
    }
    const reply = ofStream(await send(`/svc/invoke/${name}`, request))
    if (reply.status === 200) learn(manifest, reply.body?.['result'])
    const id = reply.body?.['failure']?.['approval_request_id'] as unknown
    if (typeof id === 'string') raised.set(id, by)
    return reply
  }
  const withdraw = async (): Promise<void> => {
    for (const [id, by] of raised) await post(`/svc/approval_requests/${id}/withdraw`, by).catch(() => undefined)
    raised.clear()
  }
  return { url, credentials, discovery, manifest, scopes, principal, send, post, root, invoke, withdraw }
}

/** Holds where the service shows its manifest to callers with a credential only (section 4.3). */
export const isGated = ({ discovery }: ServiceUnderTest): boolean =>
  (discovery['metadata_disclosure']?.['manifest'] as unknown) === 'bearer'

/** Reads the manifest, or what is made of it: with a credential where the service wants one. */
export const readTold = (target: ServiceUnderTest, path: string, request: RequestOptions = {}): Promise<Reply> =>
  target.send(path, isGated(target) ? { bearer: target.credentials.developer, ...request } : request)

/** The token of a reply, or an error that shows the reply. */
export function issued(reply: Reply): TokenResponse {
  const type = reply.body?.['failure']?.['type'] as string | undefined
  if (type === 'delegation_depth_exceeded') doesNotApply('the service allows no such delegation')
  if (reply.status !== 200) throw new Error(`no token: ${reply.status} ${reply.text.slice(0, 300)}`)
  return reply.body as unknown as TokenResponse
}

/** The most scopes that one token has by default. */
const MOST_SCOPES = 100
const MOST_QUESTIONS = 300

interface Entitlement {
  readonly scopes: readonly string[]
  readonly bearer: string | undefined
  readonly principal: string | undefined
}

/** The minimum scopes that a credential may have: halves are asked for where it may not have all at once. */
async function entitlement(
  post: ServiceUnderTest['post'],
  credential: string,
  discovery: LooseJson,
): Promise<Entitlement> {
  const declared = entriesOf(discovery?.['capabilities']).flatMap(([, each]) => textsIn(each['minimum_scope']))
  const groups: (readonly string[])[] = [[...new Set(declared)].slice(0, MOST_SCOPES)]
  const scopes: string[] = []
  let bearer: string | undefined
  for (let asked = 0; groups.length > 0 && asked < MOST_QUESTIONS; asked += 1) {
    const group = groups.shift()!
    if (group.length === 0) continue
    const { status, body } = await post('/svc/tokens', credential, { scope: group })
    if (status === 401) throw new Error('the credential is refused')
    if (status === 200) bearer = body['token'] as unknown as string
    if (status !== 400 && status !== 403) scopes.push(...group)
    else if (group.length > 1) {
      const half = Math.ceil(group.length / 2)
      groups.unshift(group.slice(0, half), group.slice(half))
    }
  }
  const together = await asManyAsFit(post, credential, scopes)
  return { scopes: together, bearer, principal: bearer === undefined ? undefined : subjectOf(bearer) }
}

/** The first of the scopes that one token may carry together. */
async function asManyAsFit(
  post: ServiceUnderTest['post'],
  credential: string,
  scopes: readonly string[],
): Promise<readonly string[]> {
  if (scopes.length < 2) return scopes
  const { status } = await post('/svc/tokens', credential, { scope: scopes })
  return status === 400 ? asManyAsFit(post, credential, scopes.slice(0, Math.ceil(scopes.length / 2))) : scopes
}

/** The subject of a delegation token; undefined if it is none. */
export function subjectOf(token: string): string | undefined {
  const text = Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString()
  return parsed(text)?.['sub']
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A request for a stream, where a capability answers in no other way (section 2.4). */
function streamedIfNeeded(capability: LooseJson | undefined, body: unknown): unknown {
  const modes = textsIn(capability?.['response_modes'])
  return modes.length > 0 && !modes.includes('unary') && isObject(body) ? { stream: true, ...body } : body
}

/** The envelope in the last event of a stream, as a unary call would have answered it. */
function ofStream(reply: Reply): Reply {
  if (reply.headers.get('content-type')?.startsWith('text/event-stream') !== true) return reply
  const last = reply.text.split('\n\n').findLast((block) => /^event: (?:completed|failed)\n/u.test(block))
  const data = last?.split('\n').find((line) => line.startsWith('data: '))
  if (data === undefined) return reply
  const { timestamp: _, stream_summary: __, success = null, ...members } = JSON.parse(data.slice(6)) as JsonObject
  const envelope = { success, ...members } as JsonObject
  const type = (envelope['failure'] as { readonly type?: string } | undefined)?.type
  const status =
    type === undefined
      ? 200
      : ((FAILURES as { readonly [type: string]: { readonly status: number } })[type]?.status ?? 422)
  return { ...reply, status, text: JSON.stringify(envelope), body: envelope as unknown as LooseJson }
}

/** s: no answer is waited for longer, in one wait and in all. */
const LONGEST_WAIT = 90
const LONGEST_WAITS = 180

/** Repeats a request that came too early, as late as the service says. */
async function patiently(ask: () => Promise<Reply>, wait: (ms: number) => Promise<void>): Promise<Reply> {
  for (let waited = 0; ;) {
    const reply = await ask()
    if (reply.status !== 429) return reply
    const seconds = Number(reply.headers.get('retry-after') ?? Number.NaN)
    if (!(seconds <= LONGEST_WAIT) || waited + seconds > LONGEST_WAITS)
      cannotTry(`the service limits the rate: ${reply.text.slice(0, 200)}`)
    waited += Math.max(seconds, 1)
    await wait(Math.max(seconds, 1) * 1000)
  }
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
