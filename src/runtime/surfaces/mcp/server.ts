import {
  Server,
  ProtocolError,
  ProtocolErrorCode,
  type JsonSchemaValidator,
  type RequestStateCodec,
} from '@modelcontextprotocol/server'
import { randomBytes } from 'node:crypto'
import { UNVERSIONED } from '../../../protocol/version.js'
import { statusOf } from '../../../protocol/failures.js'
import type { TraceContext } from '../../../protocol/trace-context.js'
import { toolsOf, type Tool } from '../../../protocol/tools.js'
import { tokenOf, type Token } from '../../auth/token.js'
import { Refusal } from '../../errors/refusal.js'
import type { Service } from '../../service.js'
import type { CallState, McpConnection } from './connection.js'
import { assertOffers, offeredCapabilities, serveOffers } from './offers.js'
import type { McpOptions } from './options.js'
import { assertProfile } from './profile.js'
import { sealedUnder } from './sealed.js'
import { signInFor, type McpSignIn } from './sign-in.js'
import { hasChanges } from './noted-changes.js'
import { subscriptionsInMemory, type Subscriptions } from './subscription-store.js'
import { afterChanges } from './subscriptions.js'
import { listedTools, type Era } from './tool-list.js'
import { callTool } from './tool-call.js'
import { reasonOf } from '../../errors/reason.js'

/** State shared by all connections of a service. */
export interface McpService {
  readonly service: Service
  readonly options: McpOptions
  readonly tools: ReadonlyMap<string, Tool>
  readonly states: RequestStateCodec<CallState>
  readonly subscriptions: Subscriptions
  readonly signIn: McpSignIn
  /** Name and version of the service; the interface's version beside it. */
  readonly identity: {
    readonly name: string
    readonly title?: string
    readonly version: string
    readonly description: string
  }
}

/** Longer than all rounds of one call together. */
const STATE_SECONDS = 900

/** The key of states is random and made once in the store, so that every replica accepts a state of any other. */
export async function mcpServiceOf(service: Service, options: McpOptions): Promise<McpService> {
  assertProfile(service, options)
  assertOffers(service, options)
  const key = await service.storage.secret('mcp request state', randomBytes(32).toString('base64'))
  return {
    service,
    options,
    tools: new Map(toolsOf(service.manifest).tools.map((tool) => [tool.name, tool])),
    states: sealedUnder(Buffer.from(key, 'base64'), STATE_SECONDS),
    subscriptions: subscriptionsInMemory(),
    signIn: signInFor(service, options),
    identity: await identityOf(service),
  }
}

/** Name and version as the build wrote them into `openapi.json`; 0.0.0 where that is not beside the server. */
async function identityOf({ id, manifest, documents }: Service): Promise<McpService['identity']> {
  const { name } = manifest.service_identity
  return {
    name: id,
    ...(typeof name === 'string' && { title: name }),
    version: versionIn(await documents.openapi()) ?? UNVERSIONED,
    description: `Governed by the service interface ${manifest.manifest_metadata.version}.`,
  }
}

function versionIn(openapi: { readonly bytes: Uint8Array } | undefined): string | undefined {
  if (openapi === undefined) return undefined
  const { info } = JSON.parse(new TextDecoder().decode(openapi.bytes)) as {
    readonly info?: { readonly version?: unknown }
  }
  return typeof info?.version === 'string' ? info.version : undefined
}

/** Party at the other end. */
export interface Peer {
  readonly era: Era
  readonly bearer: () => Promise<string>
  readonly client: string
  /** The token behind the bearer, where it was read a moment ago for this very message. */
  readonly token?: Token | undefined
  /** Trace context in the headers of the request. */
  readonly trace?: TraceContext | undefined
  /** Remedy for a refused token, if nothing else gives one. */
  readonly renewal?: string
  /** Tells sessions apart; undefined for a client without one. */
  readonly session?: string | undefined
  /** True if the client can say which messages it wants to hear. */
  readonly hears?: boolean
  /** Is given the names of each list, where the client is told of changes. */
  readonly onList?: (names: readonly string[]) => void
}

/**
 * An MCP server for one connection or request, by low-level handlers: the SDK's own checks would bypass the trail (fact
 * 2).
 */
export function serverFor(
  shared: McpService,
  { era, bearer, client, token, trace, renewal, onList, hears, session }: Peer,
): Server {
  const { service, tools, states, subscriptions, options, identity } = shared
  const canSubscribe = era === 'legacy' && hears === true && hasChanges(options)
  const server = new Server(identity, {
    capabilities: {
      tools: onList === undefined ? {} : { listChanged: true },
      ...offeredCapabilities(options, canSubscribe),
      ...(hears && { logging: {} }),
    },
    inputRequired: { roundTimeoutMs: service.limits.streamTimeoutMs },
    instructions: INSTRUCTIONS,
    requestState: { verify: states.verify },
    // What a person typed is judged like every parameter, by the endpoint.
    jsonSchemaValidator: {
      getValidator: () => takeAsTyped,
    },
  })
  const declaredAtFirst = () => server.getClientCapabilities()
  const connection: McpConnection = {
    service,
    declaredAtFirst,
    era,
    tools,
    options,
    states,
    subscriptions,
    session,
    bearer,
    client,
    token,
    trace,
  }
  const list = async () => {
    onList?.([])
    const caller = token ?? (await tokenOf(service, await bearer()))
    const shown = listedTools(service, [...tools.values()], caller, { era, outputSchemas: options.outputSchemas })
    onList?.(shown.map(({ name }) => name))
    return { tools: shown }
  }
  server.setRequestHandler('tools/list', () => withoutInternals(service, list(), renewal))
  server.setRequestHandler('tools/call', (request, ctx) =>
    withoutInternals(service, afterChanges(connection, ctx, callTool(connection, request, ctx)), renewal),
  )
  serveOffers(server, connection, canSubscribe, (answer) => withoutInternals(service, answer, renewal))
  return server
}

/**
 * A list has no place for a failure: who may see nothing gets a protocol error. The SDK would show the message of
 * whatever else was thrown, which is for the log.
 */
export async function withoutInternals<Result>(
  { log }: Service,
  answer: Promise<Result>,
  renewal?: string,
): Promise<Result> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ProtocolError) throw error
    if (error instanceof Refusal) throw new ProtocolError(ProtocolErrorCode.InvalidRequest, detailOf(error, renewal))
    log.error('An MCP message was not answered.', {
      error: reasonOf(error),
    })
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error')
  }
}

const detailOf = ({ failure: { type, detail } }: Refusal, renewal: string | undefined): string =>
  renewal === undefined || statusOf(type) !== 401 ? detail : `${detail} ${renewal}`

/** No `T` of a caller is checked here. */
const takeAsTyped: JsonSchemaValidator<never> = (input) => ({
  valid: true,
  data: input as never,
  errorMessage: undefined,
})

const INSTRUCTIONS =
  'Each tool is a governed action. A refusal is a result with a failure: its type, detail and resolution say ' +
  'what to do next. ' +
  'A call that needs an approval goes on when the same call is made again after a person has approved it.'
