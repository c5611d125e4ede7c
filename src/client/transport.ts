import type { ENDPOINTS } from '../protocol/endpoints.js'
import type { FailureType } from '../protocol/failures.js'
import { hasShape, isObject, parseShallow, type AnswerShape } from './answer-shape.js'
import { deadline, type Deadline } from './deadline.js'
import type { Answer, Refused } from './outcome.js'
import type { PendingCall } from './pending-call.js'

type Paths = { readonly [operation in keyof typeof ENDPOINTS]: (typeof ENDPOINTS)[operation]['path'] }

/** The paths of the interface; the compiler holds them to the one table. */
export const PATHS = {
  discovery: '/.well-known/svc',
  jwks: '/.well-known/jwks.json',
  manifest: '/svc/manifest',
  tokens: '/svc/tokens',
  revoke: '/svc/tokens/revoke',
  permissions: '/svc/permissions',
  invoke: '/svc/invoke/{capability}',
  approval_list: '/svc/approval_requests',
  approval_read: '/svc/approval_requests/{id}',
  approval_deny: '/svc/approval_requests/{id}/deny',
  approval_withdraw: '/svc/approval_requests/{id}/withdraw',
  approval_grants: '/svc/approval_grants',
  approval_grant_revoke: '/-/approval_grants/{id}/revoke',
  audit: '/svc/audit',
  checkpoints: '/svc/checkpoints',
  checkpoint: '/svc/checkpoints/{id}',
  graph: '/svc/graph/{capability}',
} as const satisfies Partial<Paths>

/** The service could not be reached, or did not answer as the interface says. Governed failures are never thrown. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  /** HTTP status, when there was an answer. */
  readonly status: number | undefined
  /** Wait that a response without a failure, such as a proxy's, asked for. */
  readonly retryAfterMs: number | undefined
  /** The call that waited for an approval when this happened: `resume` it. */
  pending?: PendingCall

  constructor(
    message: string,
    options: { readonly status?: number; readonly retryAfterMs?: number | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.status = options.status
    this.retryAfterMs = options.retryAfterMs
  }
}

/** A credential, or what gives one each time it is needed. */
export type Credential = string | (() => string | Promise<string>)

export interface Connection {
  readonly baseUrl: string
  readonly credential: Credential | undefined
  readonly fetch: typeof globalThis.fetch
  readonly retries: number | undefined
  readonly maxAnswerBytes: number
  /** ms that an attempt, or the next event of a stream, may take. */
  readonly timeoutMs: number
  readonly maxStreamBytes: number
  /** ms that a whole stream may take. */
  readonly streamTimeoutMs: number
  /** RFC 7638 thumbprints of the keys that may sign the manifest, as the generated client pins them. */
  readonly manifestKeys: readonly string[]
}

export interface Sent {
  readonly method?: 'GET' | 'POST'
  readonly body?: unknown
  readonly query?: { readonly [name: string]: string | number | boolean | undefined }
  readonly headers?: { readonly [name: string]: string }
  readonly signal?: AbortSignal | undefined
  /** ms that the service was asked to wait. */
  readonly waitMs?: number
}

/** The time that is left for the body of an answer. */
const deadlines = new WeakMap<Response, Deadline>()

export const deadlineOf = (response: Response): Deadline | undefined => deadlines.get(response)

/** Sends one request with the credential. Redirects are refused: a credential goes to the service and nowhere else. */
export async function send(connection: Connection, path: string, sent: Sent): Promise<Response> {
  const { credential } = connection
  const bearer = typeof credential === 'function' ? await credential() : credential
  const headers = new Headers({ Accept: 'application/json', ...sent.headers })
  if (bearer !== undefined) headers.set('Authorization', `Bearer ${sendable(bearer)}`)
  if (sent.body !== undefined) headers.set('Content-Type', 'application/json')
  const url = `${connection.baseUrl}${path}${queryOf(sent.query)}`
  const body = sent.body === undefined ? null : JSON.stringify(sent.body)
  const { fetch, timeoutMs } = connection
  const late = () => new TransportError(`${url} gave no answer within ${timeoutMs} ms (timeoutMs).`)
  const limit = deadline(timeoutMs + (sent.waitMs ?? 0), sent.signal, late)
  const init = {
    method: sent.method ?? 'POST',
    headers,
    body,
    redirect: 'manual',
    signal: limit.signal,
  } as const
  const response = await fetch(url, init).catch((cause: unknown) => {
    limit.end()
    limit.signal.throwIfAborted()
    throw new TransportError(`${url} gave no answer${reasonOf(cause)}.`, { cause })
  })
  deadlines.set(response, limit)
  if (response.type !== 'opaqueredirect' && (response.status < 300 || response.status > 399)) return response
  leave(response)
  throw unexpectedAnswer(response, `${url} answered with a redirect, which is not followed`)
}

/** Reads no more of an answer. */
export function leave(response: Response): void {
  deadlineOf(response)?.end()
  void response.body?.cancel().catch(() => undefined)
}

/** Returns the root cause of an error: `fetch` reports only that it failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if (error.cause instanceof Error) return reasonOf(error.cause)
  const reason = error.message.trim() || ('code' in error ? String(error.code) : '')
  return reason === '' ? '' : `: ${reason}`
}

/** The error of an answer that is none of the interface. */
export const unexpectedAnswer = (response: Response, message: string, cause?: unknown): TransportError =>
  new TransportError(`${message}.`, { status: response.status, retryAfterMs: retryAfterMs(response.headers), cause })

/** `Retry-After` in ms: seconds, as the interface sends them, or a date, as a proxy may (RFC 9110, section 10.2.3). */
export function retryAfterMs(headers: Headers): number | undefined {
  const asked = headers.get('Retry-After') || 'nothing'
  const seconds = Number(asked)
  const ms = Number.isNaN(seconds) ? Date.parse(asked) - Date.now() : seconds * 1000
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

/** Checks that a credential fits in a header; the error of `Headers` would print the credential. */
export function sendable(bearer: string): string {
  const trimmed = bearer.trim()
  if (/^[ -~]*$/u.test(trimmed)) return trimmed
  throw new TransportError('The credential has characters that a header cannot carry.')
}

function queryOf(query: Sent['query']): string {
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`
}

/** The bytes of an answer, counted as they come: what was compressed on the way may be a thousand times as long. */
export const bytesOf = (connection: Connection, response: Response): Promise<Uint8Array<ArrayBuffer>> =>
  countedBytes(connection, response).finally(() => deadlineOf(response)?.end())

async function countedBytes({ maxAnswerBytes }: Connection, response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let length = 0
  const reader = response.body?.getReader()
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    length += part.value.length
    if (length > maxAnswerBytes) {
      void reader?.cancel().catch(() => undefined)
      throw unexpectedAnswer(response, `${response.url} answered more than ${maxAnswerBytes} bytes (maxAnswerBytes)`)
    }
    parts.push(part.value)
  }
  return joined(parts, length)
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** The JSON object of an answer. */
export async function jsonBody(
  connection: Connection,
  response: Response,
  signal: AbortSignal | undefined,
): Promise<{ readonly [name: string]: unknown }> {
  const noJson = (cause?: unknown): never => {
    signal?.throwIfAborted()
    if (cause instanceof TransportError) throw cause
    throw unexpectedAnswer(response, `${response.url} answered ${response.status} without a JSON object`, cause)
  }
  const body: unknown = await bytesOf(connection, response).then(jsonIn).catch(noJson)
  return isObject(body) ? body : noJson()
}

export const jsonIn = (bytes: Uint8Array): unknown => parseShallow(new TextDecoder().decode(bytes))

/** Asks an endpoint that is not an invocation; its answer has at least the given shape. */
export async function ask<Result>(
  connection: Connection,
  path: string,
  sent: Sent,
  shape: AnswerShape = {},
): Promise<Answer<Result>> {
  const response = await send(connection, path, sent)
  const body = await jsonBody(connection, response, sent.signal)
  if (!response.ok) return { success: false, failure: failureOf(response, body) }
  if (hasShape(body, shape)) return { success: true, result: body as Result }
  throw unexpectedAnswer(response, `${response.url} answered without ${Object.keys(shape).join(', ')}`)
}

/** The failure of an answer that is none of success. */
export function failureOf(response: Response, body: { readonly [name: string]: unknown }): Refused<FailureType> {
  const { failure } = body
  if (isFailure(failure)) return failure
  throw unexpectedAnswer(response, `${response.url} answered ${response.status} without a failure`)
}

/** Holds for what says its type and what to do (section 7); proxies speak of failures, too. */
export const isFailure = (value: unknown): value is Refused<FailureType> =>
  hasShape(value, { type: 'string', detail: 'string', resolution: 'object' }) && typeof value['retry'] === 'boolean'

export const isPlaceable = (value: unknown): value is string => typeof value === 'string' && !/^\.{0,2}$/u.test(value)

/** A path with its segment filled in; one of dots would lead to another path. */
export function pathWith(path: string, segment: string): string {
  if (!isPlaceable(segment)) throw new TypeError(`${JSON.stringify(segment)} is no name or id.`)
  return path.replace(/\{\w+\}/u, () => encodeURIComponent(segment))
}
