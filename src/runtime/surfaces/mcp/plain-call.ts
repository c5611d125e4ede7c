/**
 * The plainest tool call of the modern era, which is nearly every one: no state, no progress. It is answered as the SDK
 * would, in a third of the time, because no server, request and response are made for it; a test compares the two.
 */
import { ProtocolError, ProtocolErrorCode, type ServerContext } from '@modelcontextprotocol/server'
import { isRecord } from '../../../crypto/json/kinds.js'
import type { Json, JsonObject } from '../../../protocol/manifest.js'
import type { HttpRequest, HttpResponse } from '../../http/exchange.js'
import { jsonResponse } from '../../http/response.js'
import type { Peer, McpService } from './server.js'
import { withoutInternals } from './server.js'
import { callTool } from './tool-call.js'

export interface PlainCall {
  readonly id: string | number
  readonly name: string
  readonly parameters: JsonObject
  /** Of ours; the rest of `_meta` is the envelope. */
  readonly meta: JsonObject
  /** Abilities that the client declares. */
  readonly capabilities: JsonObject
}

const VERSION = '2026-07-28'
const VERSION_MEMBER = 'io.modelcontextprotocol/protocolVersion'
const CLIENT_MEMBER = 'io.modelcontextprotocol/clientInfo'
const CAPABILITIES_MEMBER = 'io.modelcontextprotocol/clientCapabilities'
const SERVER_MEMBER = 'io.modelcontextprotocol/serverInfo'
const OURS = 'svc-kit/'
const MEMBERS = ['jsonrpc', 'id', 'method', 'params']
const PARAMETERS = ['name', 'arguments', '_meta']

/** A message in which nothing is unusual; undefined for whatever the SDK had better look at. */
export function plainCallIn({ header }: HttpRequest, message: Json | undefined): PlainCall | undefined {
  if (header('mcp-method') !== 'tools/call' || header('mcp-protocol-version') !== VERSION) return undefined
  if (!isRecord(message) || !hasOnly(message, MEMBERS)) return undefined
  const { jsonrpc, id, method, params } = message
  if (jsonrpc !== '2.0' || method !== 'tools/call' || !isRecord(params) || !hasOnly(params, PARAMETERS))
    return undefined
  const { name, arguments: parameters = {}, _meta: meta } = params
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return undefined
  if (typeof name !== 'string' || header('mcp-name') !== name || !isRecord(parameters)) return undefined
  const about = isRecord(meta) ? metaIn(meta) : undefined
  return about && { id: id as PlainCall['id'], name, parameters, ...about }
}

const hasOnly = (value: JsonObject, names: readonly string[]): boolean =>
  Object.keys(value).every((name) => names.includes(name))

/** Returns our members of `_meta`, if it is a plain envelope with nothing else. */
function metaIn(meta: JsonObject): Pick<PlainCall, 'meta' | 'capabilities'> | undefined {
  const { [VERSION_MEMBER]: version, [CLIENT_MEMBER]: client, [CAPABILITIES_MEMBER]: capabilities } = meta
  if (version !== VERSION || !isClient(client) || !isPlainCapabilities(capabilities)) return undefined
  const own = Object.entries(meta).filter(([name]) => name.startsWith(OURS) || TRACE_MEMBERS.includes(name))
  if (own.length + ENVELOPE_MEMBERS !== Object.keys(meta).length) return undefined
  return { meta: own.length === 0 ? NO_META : Object.fromEntries(own), capabilities }
}

/** Trace members of a caller (MCP, trace context). */
const TRACE_MEMBERS = ['traceparent', 'tracestate']

const NO_META: JsonObject = {}
/** Version, client, capabilities. */
const ENVELOPE_MEMBERS = 3

const isClient = (client: Json | undefined): boolean =>
  isRecord(client) &&
  hasOnly(client, ['name', 'version']) &&
  typeof client['name'] === 'string' &&
  typeof client['version'] === 'string'

/** Names of abilities, each without settings of its own but those of elicitation. */
const isPlainCapabilities = (capabilities: Json | undefined): capabilities is JsonObject =>
  isRecord(capabilities) &&
  Object.entries(capabilities).every(
    ([name, value]) => isRecord(value) && (isEmpty(value) || isElicitation(name, value)),
  )

const isEmpty = (value: Json | undefined): boolean => isRecord(value) && Object.keys(value).length === 0

const isElicitation = (name: string, value: JsonObject): boolean =>
  name === 'elicitation' && hasOnly(value, ['form', 'url']) && Object.values(value).every(isEmpty)

type Caller = Pick<Peer, 'client' | 'token' | 'trace'> & { readonly bearer: string }

/** The answer as the SDK writes it: a result with the identity of the server, or the error of the protocol. */
export async function answerPlainly(shared: McpService, call: PlainCall, caller: Caller): Promise<HttpResponse> {
  const { service, tools, options, states, subscriptions, identity } = shared
  const { bearer, client, token, trace } = caller
  const connection = { service, tools, options, states, subscriptions, session: undefined, client, token, trace, era: 'modern', declaredAtFirst: noneDeclared, bearer: async () => bearer } as const // prettier-ignore
  const request = { method: 'tools/call', params: { name: call.name, arguments: call.parameters } } as const
  try {
    const { _meta: about, ...result } = await withoutInternals(service, callTool(connection, request, contextOf(call)))
    const meta = { ...about, [SERVER_MEMBER]: identity }
    return written({
      result: { _meta: meta, ...result, resultType: result['resultType'] ?? 'complete' },
      jsonrpc: '2.0',
      id: call.id,
    })
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    const { code, message, data } = error
    const status = code === ProtocolErrorCode.MissingRequiredClientCapability ? 400 : 200
    return written(
      { jsonrpc: '2.0', id: call.id, error: { code, message, ...(data !== undefined && { data }) } },
      status,
    )
  }
}

const noneDeclared = () => undefined
/** A plain message asks for no messages on the way. */
const toldNothing = async () => undefined

/** Returns the context of a message; a plain one has neither state nor progress. */
const contextOf = ({ meta, capabilities }: PlainCall): ServerContext =>
  ({
    mcpReq: {
      _meta: meta,
      envelope: { [CAPABILITIES_MEMBER]: capabilities },
      requestState: noneDeclared,
      log: toldNothing,
    },
    http: {},
  }) as object as ServerContext

const written = (message: object, status = 200): HttpResponse => jsonResponse(status, JSON.stringify(message))
