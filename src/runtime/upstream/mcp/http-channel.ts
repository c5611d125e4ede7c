import type { Client, FetchLike, RequestOptions, Tool, Transport } from '@modelcontextprotocol/client'
import type { Json, JsonObject } from '../../../protocol/manifest.js'
import type { UpstreamAccount } from '../../definition.js'
import { FailedByHandler } from '../../errors/refusal.js'
import { boundedFetch } from './bounded-fetch.js'
import { neverSent } from '../../net/never-sent.js'
import { holdSession } from '../../net/open-sessions.js'
import { OtherResult, resultIn, RpcError, Unreachable, type McpChannel } from './channel.js'
import { CLIENT_INFO, WITHOUT_SESSION } from './handshake.js'
import { NO_ANSWER } from './no-answer.js'
import { heardEvents, type HeardEvents } from './unasked.js'
import { answerForms, optionsOfAnswering, type AnswerForm } from './asked-forms.js'
import { anyResults, FIRST_PAGE } from './any-results.js'
import { inAccount } from './in-account.js'
import type { PinnedAddress } from './pinned.js'
import { clientLibrary, type ClientLibrary } from './client-library.js'

const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/u
/** The time of a request is bounded by its signal. */
const NO_TIME_LIMIT = 2 ** 31 - 1

/** Parties that a channel asks on behalf of. */
export interface Asking {
  readonly answer?: AnswerForm | undefined
  /** Account of the person whose session it is. */
  readonly account?: (() => UpstreamAccount) | undefined
}

/** A server at an address, reached by the library of the protocol: bytes, time, address and redirects are bounded here. */
export function httpChannel(
  { url }: PinnedAddress,
  credential: string | undefined,
  onNotice: (method: string) => void,
  { answer, account }: Asking = {},
): McpChannel {
  const address = new URL(url)
  if (address.protocol !== 'https:' && !(address.protocol === 'http:' && LOOPBACK.test(address.hostname)))
    throw new Error(`The MCP server ${address.origin} must be https, or at a loopback address.`)
  const tools = new Map<string, Tool>()
  let session: RemoteSession | undefined
  let closed = false
  let letGo = (): void => undefined
  const close = (): void => {
    closed = true
    letGo()
    void session?.end()
  }
  const failed = async (error: unknown, signal: AbortSignal): Promise<never> => {
    if (error instanceof FailedByHandler) throw error
    const failure = failureOf(await clientLibrary(), error, signal)
    if (failure instanceof Unreachable) close()
    throw failure
  }
  return {
    begin: async (signal) => {
      const library = await clientLibrary()
      session = await connected(
        library,
        { address, credential, heard: heardEvents(close), answer, account },
        signal,
      ).catch((error: unknown) => failed(error, signal))
      if (closed) void session.end()
      else letGo = holdSession(session.end)
      const { client } = session
      client.setNotificationHandler('notifications/tools/list_changed', () =>
        onNotice('notifications/tools/list_changed'),
      )
      hearChanges(client)
    },
    ask: async (method, params, signal, onProgress) => {
      if (session === undefined || closed) throw new Unreachable('The server has ended.', false)
      if (signal.aborted) throw new Unreachable('There is no time left.', false)
      const options: RequestOptions = { signal, timeout: NO_TIME_LIMIT, ...(onProgress && { onprogress: onProgress }) }
      const answer = await asked(session.client, tools, { method, params }, options).catch((error: unknown) =>
        failed(error, signal),
      )
      return resultIn({ result: answer })
    },
    isClosed: () => closed,
    close,
    release: () => undefined,
  }
}

/** Lists tools, or calls one as it was listed: what a tool wants in headers is in its description. */
async function asked(
  client: Client,
  tools: Map<string, Tool>,
  { method, params }: { readonly method: string; readonly params: JsonObject },
  options: RequestOptions,
): Promise<Json> {
  if (method !== 'tools/list') {
    const name = String(params['name'])
    const { outputSchema: _, ...listed } = tools.get(name) ?? { name, inputSchema: { type: 'object' } }
    return (await client.callTool(params as never, { ...options, toolDefinition: listed as Tool })) as Json
  }
  const cursor = String(params['cursor'] ?? FIRST_PAGE)
  // The library lists no tools of a server that announces none.
  const isAnnounced = client.getServerCapabilities()?.tools !== undefined
  const page = isAnnounced
    ? await client.listTools({ cursor }, options)
    : await client.request({ method: 'tools/list', params: { cursor } }, options)
  for (const tool of page.tools) tools.set(tool.name, tool)
  return page as unknown as Json
}

interface Ending {
  readonly terminateSession?: () => Promise<void>
}

interface RemoteSession {
  readonly client: Client
  readonly end: () => Promise<void>
}

/** The time in which a server is told that its session ends. */
const END_WITHIN_MS = 2_000

/** Ends a session, of which the server is told as far as it takes that. */
async function ended(client: Client, transport: Ending): Promise<void> {
  const told = transport.terminateSession?.().catch(() => undefined)
  const late = new Promise((done) => setTimeout(done, END_WITHIN_MS).unref())
  await Promise.race([told, late])
  await client.close().catch(() => undefined)
}

const tellsOfChanges = (client: Client): boolean => client.getServerCapabilities()?.tools?.listChanged === true

/** Since 2026-07-28 a client asks to be told of changes; before, they come by the stream of the session. */
function hearChanges(client: Client): void {
  if (!tellsOfChanges(client)) return
  void client.listen({ toolsListChanged: true }, { timeout: NO_TIME_LIMIT }).catch(() => undefined)
}

interface Remote {
  readonly address: URL
  readonly credential: string | undefined
  readonly heard: HeardEvents
  readonly answer: AnswerForm | undefined
  readonly account: Asking['account']
}

/** The time in which a stream is opened, or refused. */
const STREAM_WITHIN_MS = 2_000

/** Tells when the stream of a session has been answered, or is late. */
function noticingStream(fetch: FetchLike): { readonly fetch: FetchLike; readonly opened: Promise<void> } {
  let notice = (): void => undefined
  const answered = new Promise<void>((resolve) => (notice = resolve))
  const late = new Promise<void>((resolve) => setTimeout(resolve, STREAM_WITHIN_MS).unref())
  const noticing: FetchLike = async (input, init) => {
    const response = fetch(input, init)
    return init?.method === 'GET' ? response.finally(notice) : response
  }
  return { fetch: noticing, opened: Promise.race([answered, late]) }
}

/** The library finds the revision; servers of 2024-11-05 are reached over their stream of events. */
async function connected(
  library: ClientLibrary,
  { address, credential, heard, answer, account }: Remote,
  signal: AbortSignal,
): Promise<RemoteSession> {
  const requestInit = { headers: credential === undefined || credential === '' ? {} : { Authorization: `Bearer ${credential}` } } // prettier-ignore
  const { StreamableHTTPClientTransport: Streamable, SSEClientTransport: Events } = library
  const clientOf = (mode: 'auto' | 'legacy'): Client =>
    anyResults(new library.Client(CLIENT_INFO, { versionNegotiation: { mode }, ...optionsOfAnswering(answer) }))
  const by = async (client: Client, transport: Transport & Ending): Promise<RemoteSession> => {
    answerForms(client, answer)
    await client.connect(transport, { signal, timeout: NO_TIME_LIMIT })
    return { client, end: () => ended(client, transport) }
  }
  try {
    const client = clientOf('auto')
    // A server may ask by the stream of the session, too.
    const opensStream = (): boolean => answer !== undefined || tellsOfChanges(client)
    const { fetch, opened } = noticingStream(inAccount(boundedFetch(address, opensStream, heard), account))
    const connection = await by(client, new Streamable(address, { requestInit, fetch }))
    // What a server asks before its stream is open is lost.
    if (answer !== undefined && client.getNegotiatedProtocolVersion() !== WITHOUT_SESSION) await opened
    return connection
  } catch (error) {
    const isOld = error instanceof library.SdkHttpError && [400, 404, 405].includes(error.status)
    if (!isOld) throw error
    const fetch = inAccount(
      boundedFetch(address, () => true, heard),
      account,
    )
    const transport = new Events(address, { requestInit, fetch, eventSourceInit: { fetch: fetch as never } })
    return by(clientOf('legacy'), transport)
  }
}

/** A redirect, too: it may lead to what came of the request. A status of 4xx, but for a timeout, refuses it. */
const mayHaveActed = (status: number): boolean => status < 400 || status === 408 || status >= 500

function failureOf(
  { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, InsufficientScopeError }: ClientLibrary,
  error: unknown,
  signal: AbortSignal,
): Error {
  if (error instanceof Unreachable) return error
  if (error instanceof ProtocolError && error.code === NO_ANSWER)
    return new Unreachable('The server gave no answer to the request.', true)
  if (error instanceof SdkError && error.code === SdkErrorCode.UnsupportedResultType)
    return new OtherResult(String((error.data as { readonly resultType?: unknown } | undefined)?.resultType))
  if (error instanceof SdkError && error.code === SdkErrorCode.InputRequiredRoundsExceeded)
    return new OtherResult('input_required')
  if (error instanceof ProtocolError) return new RpcError(error.code, error.message)
  const status =
    error instanceof SdkHttpError ? error.status : error instanceof InsufficientScopeError ? 403 : undefined
  if (status !== undefined) return new Unreachable(`The server answered ${status}.`, mayHaveActed(status))
  if (signal.aborted) return new Unreachable('The server did not answer in time.', true)
  return new Unreachable('The server did not answer.', !neverSent(error))
}
