/** One message of the client, and what the service says to it over HTTP. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { TransportError } from '../../../client/index.js'
import { CliError } from '../../shared/errors/cli-error.js'
import { mcpHeadersOf } from './headers.js'
import { ERROR_CODES, errorMessage, isMembers, type McpMessage } from './message.js'
import { answersIn, UnusableAnswer, type RefusedExchange } from './answers.js'
import { howToRenew, TokenRefused, type Tokens } from './tokens.js'

export interface Upstream {
  readonly address: string
  readonly tokens: Tokens
  /** The revision that `initialize` ended with. */
  agreed: string | undefined
}

/** Sends a message to the client: notifications, and finally the response. */
export type Emit = (message: object) => Promise<void>

const MOST_ATTEMPTS = 5
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 10_000

/**
 * Sends a message until it is answered. A service that is away or restarts is asked again: each tool call has an
 * idempotency key, so that it happens once. Never rejects; a request that was cancelled is not answered.
 */
export async function exchange(upstream: Upstream, sent: McpMessage, emit: Emit, signal: AbortSignal): Promise<void> {
  const message = withKey(sent)
  for (let attempt = 1; ; attempt++) {
    const trouble = await attempted(upstream, message, emit, signal).catch((error: unknown) =>
      troubleOf(upstream, error),
    )
    if (trouble === undefined || signal.aborted) return
    if (!trouble.mayPass || attempt >= MOST_ATTEMPTS)
      return sent.id === undefined
        ? undefined
        : emit(errorMessage(sent.id, ERROR_CODES.failed, trouble.text, trouble.data))
    await pause(trouble.waitMs ?? waitBefore(attempt), undefined, { signal }).catch(() => undefined)
  }
}

const waitBefore = (attempt: number): number => Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt)

const KEY_MEMBER = 'svc-kit/idempotency_key'

function withKey(message: McpMessage): McpMessage {
  if (message.method !== 'tools/call') return message
  const meta = message.params?.['_meta']
  if (isMembers(meta) && Object.hasOwn(meta, KEY_MEMBER)) return message
  const named = { ...(isMembers(meta) && meta), [KEY_MEMBER]: randomUUID() }
  return { ...message, params: { ...message.params, _meta: named } }
}

const START = 'Start the service, or give its address.'

function troubleOf({ address }: Upstream, error: unknown): RefusedExchange {
  if (error instanceof TokenRefused) return { text: error.message, mayPass: false, data: { failure: error.failure } }
  if (error instanceof UnusableAnswer || error instanceof CliError) return { text: error.message, mayPass: false }
  if (error instanceof TransportError) return { text: `${error.message} ${START}`, mayPass: true }
  const reason = reasonOf(error)
  return { text: `${address} cannot be reached${reason}. ${START}`, mayPass: true }
}

/** Returns the root cause of an error: `fetch` reports only that it failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if (error.cause instanceof Error) return reasonOf(error.cause)
  return 'code' in error ? `: ${String(error.code)}` : ''
}

async function attempted(
  upstream: Upstream,
  message: McpMessage,
  emit: Emit,
  signal: AbortSignal,
): Promise<RefusedExchange | undefined> {
  const first = await post(upstream, message, signal)
  if (first.status === 401) await first.body?.cancel()
  const response = first.status === 401 ? await post(upstream, message, signal) : first
  if (response.status >= 300 && response.status < 400)
    return { text: 'The service answered with a redirect, which is not followed.', mayPass: false }
  if (response.status === 202) return void (await response.body?.cancel())
  const trouble = await relay(upstream, message, response, emit)
  return trouble !== undefined && response.status === 401
    ? { ...trouble, text: `${trouble.text} ${howToRenew()}` }
    : trouble
}

async function post(
  { address, tokens, agreed }: Upstream,
  message: McpMessage,
  signal: AbortSignal,
): Promise<Response> {
  const bearer = await tokens.bearer()
  const response = await fetch(address, {
    method: 'POST',
    headers: { ...mcpHeadersOf(message, agreed), authorization: `Bearer ${bearer}` },
    body: JSON.stringify(message),
    redirect: 'manual',
    signal,
  })
  if (response.status === 401) tokens.refused(bearer)
  bearers.set(response, bearer)
  return response
}

/** Answer -> the token that it was given to, which it must not repeat. */
const bearers = new WeakMap<Response, string>()

/** Gives the client what is meant for it: the answer to its own request, and notifications. */
async function relay(
  upstream: Upstream,
  { id, method }: McpMessage,
  response: Response,
  emit: Emit,
): Promise<RefusedExchange | undefined> {
  let answered = id === undefined
  for await (const answer of answersIn(response, bearers.get(response)!)) {
    if ('refused' in answer) return answer.refused
    const { message } = answer
    const isAnswer = message.method === undefined && message.id === id && !answered
    if (isAnswer) {
      answered = true
      if (method === 'initialize') upstream.agreed = agreedIn(message)
    }
    // What a server asks of a client comes to nobody: there is no way to answer it over HTTP without sessions.
    if (isAnswer || (message.method !== undefined && message.id === undefined)) await emit(message)
    if (isAnswer) break
  }
  return answered ? undefined : { text: 'The service ended its answer before it was complete.', mayPass: true }
}

function agreedIn({ result }: McpMessage): string | undefined {
  const version = isMembers(result) ? result['protocolVersion'] : undefined
  return typeof version === 'string' && /^[\d-]{1,20}$/u.test(version) ? version : undefined
}
