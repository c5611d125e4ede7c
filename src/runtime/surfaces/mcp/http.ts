/** MCP over Streamable HTTP: of the modern era, and stateless of the legacy one. */
import { sha256Hex } from '../../../crypto/json/digest.js'
import { createMcpHandler, type AuthInfo, type Server } from '@modelcontextprotocol/server'
import { bearerOf, claimsToBeDelegation } from '../../credentials/bearer.js'
import { tokenOf, type Token } from '../../auth/token.js'
import { failure, statusOf } from '../../../protocol/failures.js'
import { traceContextOf, type TraceContext } from '../../../protocol/trace-context.js'
import { refuse, Refusal } from '../../errors/refusal.js'
import { errorResponseOf } from '../../endpoint/error-response.js'
import { assertServedHere } from '../../http/origin.js'
import { readBody } from '../../http/body.js'
import { jsonResponse } from '../../http/response.js'
import { callerAddress } from '../../http/local.js'
import type { AnswerOverHttp, HttpRequest, HttpResponse } from '../../http/exchange.js'
import type { Service } from '../../service.js'
import type { McpOptions } from './options.js'
import { answerPlainly, plainCallIn } from './plain-call.js'
import { sessionsOf, type McpSessions } from './session.js'
import type { Era } from './tool-list.js'
import { mcpServiceOf, serverFor, type McpService } from './server.js'
import { MCP_PATH, METADATA_PATH, metadataOf, unauthorized } from './unauthorized.js'

/** The headers that the SDK reads. Credentials and cookies stay here. */
const HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id', 'last-event-id'] as const // prettier-ignore

type Handler = ReturnType<typeof createMcpHandler>

/** Answers MCP clients at `/mcp`. It never rejects. */
export async function mcpOverHttp(service: Service, options: McpOptions): Promise<AnswerOverHttp> {
  const shared = await mcpServiceOf(service, options)
  const serverOf = serversFor(shared)
  const handler = handlerFor(shared, serverOf)
  const sessions =
    options.sessions === true ? await sessionsOf(service, (auth, id) => serverOf('legacy', auth, id)) : undefined
  return async (request) => {
    try {
      assertServedHere(service, request)
      if (request.target === METADATA_PATH) return describe(shared, request)
      return await respond(shared, { handler, sessions }, request)
    } catch (error) {
      return failed(service, options, error, request)
    }
  }
}

/** The paths that are answered here. */
export const isMcpPath = (target: string): boolean => {
  const question = target.indexOf('?')
  const path = question === -1 ? target : target.slice(0, question)
  return path === MCP_PATH || path === METADATA_PATH
}

function describe({ service, options }: McpService, { method }: HttpRequest): HttpResponse {
  const metadata = metadataOf(options, service.providers)
  if (method !== 'GET' && method !== 'HEAD') return refuse('method_not_allowed', 'This endpoint takes GET only.')
  if (metadata === undefined) return refuse('not_found', 'This service has no publicUrl, so it cannot say where it is.')
  return jsonResponse(200, JSON.stringify(metadata))
}

type ServerOf = (era: Era, authInfo: AuthInfo | undefined, session?: string) => Server

/** A client without a session has no place to say which messages it wants to hear, before 2026-07-28. */
const serversFor =
  (shared: McpService): ServerOf =>
  (era, authInfo, session) =>
    serverFor(shared, {
      era,
      session: session && sha256Hex(session),
      hears: era === 'modern' || shared.options.sessions === true,
      bearer: async () => authInfo?.token ?? '',
      client: authInfo?.clientId ?? '',
      token: authInfo?.extra?.['token'] as Token | undefined,
      trace: authInfo?.extra?.['trace'] as TraceContext | undefined,
    })

const handlerFor = (shared: McpService, serverOf: ServerOf): Handler =>
  createMcpHandler(({ era, authInfo }) => serverOf(era, authInfo), {
    legacy: 'stateless',
    responseMode: 'auto',
    onerror: ({ message }) => shared.service.log.debug('An MCP request was refused.', { error: message }),
  })

/** Ways to an answer: those of the library, and sessions. */
interface Ways {
  readonly handler: Handler
  readonly sessions: McpSessions | undefined
}

/** A credential comes first, and only in the header; then the body, within the bounds of any body. */
async function respond(shared: McpService, { handler, sessions }: Ways, request: HttpRequest): Promise<HttpResponse> {
  const { service, signIn } = shared
  if (request.method !== 'POST') return refuse('method_not_allowed', 'This endpoint takes POST only.')
  const client = callerAddress(request)
  const credential = bearerOf(request.header('authorization'))
  const bearer = claimsToBeDelegation(credential) ? credential : await signIn(credential, client)
  const token = await tokenOf(service, bearer)
  const parsedBody = await readBody(request, service, {
    pool: 'known',
    root: token.claims.root_principal,
    tokens: token.chain.map((link) => link.claims.jti),
  })
  if (Array.isArray(parsedBody)) return refuse('invalid_parameters', 'Send one message; batches are not taken.')
  await takePlace(service, token)
  const trace = traceContextOf(request.header('traceparent'), request.header('tracestate'))
  const plain = plainCallIn(request, parsedBody)
  const principal = token.claims.root_principal
  if (plain !== undefined)
    return { ...(await answerPlainly(shared, plain, { bearer, token, trace, client })), principal }
  const authInfo = authInfoOf(bearer, token, trace, client)
  const asked = webRequestOf(request)
  const answered = await sessions?.answer(asked, parsedBody, authInfo)
  if (answered !== undefined) return { ...(await httpResponseOf(answered)), principal }
  const response = await handler.fetch(asked, { authInfo, ...(parsedBody !== undefined && { parsedBody }) })
  const { headers, ...rest } = await httpResponseOf(response)
  const session = await sessions?.idFor(parsedBody, token)
  return { ...rest, headers: [...headers!, ...(session === undefined ? [] : ['mcp-session-id', session])], principal }
}

/** Takes a place of the root principal's rate for any message: lists are long, and cost as much as calls. */
async function takePlace(service: Service, { claims }: Token): Promise<void> {
  const wait = await service.rates.take(`mcp ${claims.root_principal}`, service.limits.mcpMessagesPerMinute)
  if (wait === undefined) return
  throw new Refusal(failure('rate_limited', `Too many messages. Try again in ${wait} s.`), { retryAfter: wait })
}

const authInfoOf = (bearer: string, token: Token, trace: TraceContext | undefined, client: string) => ({
  token: bearer,
  clientId: client,
  scopes: [...token.claims.scope],
  expiresAt: token.claims.exp,
  extra: { token, trace },
})

/** Its body is parsed already, and no address is made of what a client says it is at. */
function webRequestOf({ method, header }: HttpRequest): Request {
  const pairs = HEADERS.flatMap((name): [string, string][] => {
    const value = header(name)
    return value === null ? [] : [[name, value]]
  })
  return new Request(`http://mcp.invalid${MCP_PATH}`, { method, headers: pairs })
}

async function httpResponseOf(response: Response): Promise<HttpResponse> {
  const headers = ['x-content-type-options', 'nosniff', 'cache-control', 'no-store']
  response.headers.forEach((value, name) => {
    if (name !== 'cache-control' && name !== 'content-length' && name !== 'connection') headers.push(name, value)
  })
  const streams = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  return { status: response.status, headers, body: streams ? response.body : await response.text() }
}

function failed(service: Service, options: McpOptions, error: unknown, { header }: HttpRequest): HttpResponse {
  const refused = errorResponseOf(service, 'mcp', { caller: {} }, error)
  const { status = statusOf('internal_error'), body, retryAfter } = refused
  const answered = error instanceof Refusal ? statusOf(body.failure.type) : status
  return unauthorized(options, body.failure, { status: answered, retryAfter, authorization: header('authorization') })
}
