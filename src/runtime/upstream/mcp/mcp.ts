import type { Json, JsonObject } from '../../../protocol/manifest.js'
import type { UpstreamInput } from '../context.js'
import type { AnswerForm } from './asked-forms.js'
import { Unreachable, type McpChannel } from './channel.js'
import { childChannel } from './child.js'
import { containerChannel } from './container.js'
import { httpChannel } from './http-channel.js'
import type { McpContext, McpOperation } from './operation.js'
import { endUnreached, endWithoutResult, calledToolResult } from './outcome.js'
import type { Environment, PinnedUpstream } from './pinned.js'
import { refusedPermission } from './refused-permission.js'
import { progressiveLimit, type ProgressiveLimit } from './time-limit.js'
import { noteConfinement } from './unconfined.js'
import { upstreamToolDigest, listUpstreamTools } from './session.js'

/** An MCP server behind this service. */
export interface McpUpstream {
  readonly call: <Output>(operation: McpOperation, input: object, context: McpContext) => Promise<Output>
}

interface Live {
  readonly channel: McpChannel
  /** The digests of the tools as the server has them now. */
  digests: ReadonlyMap<string, string>
  seenAt: number
}

/** After that long the tools are looked at again, whether or not the server has said that they changed. */
const LOOK_AGAIN_MS = 60_000

export interface McpSettings {
  /** ms that a tool may take; progress begins them again, up to ten times. 30 s by default. */
  readonly timeoutMs?: number
  /**
   * Answers the forms with which a server at an address asks before it acts; without it, such a call is refused. Fields
   * that an accepted form leaves out get the server's defaults.
   */
  readonly answer?: AnswerForm
}

/** Calls pinned tools, with the environment of the service. The server is started, or reached, at the first call. */
export function mcpUpstream(
  pinned: PinnedUpstream,
  environment: () => Environment,
  { timeoutMs = 30_000, answer }: McpSettings = {},
): McpUpstream {
  noteConfinement(pinned)
  let live: Promise<Live> | undefined
  let changed = false
  const current = async (signal: AbortSignal): Promise<Live> => {
    const there = await live?.catch(() => undefined)
    if (there === undefined || there.channel.isClosed())
      live = begin(pinned, { environment: environment(), answer }, signal, () => (changed = true))
    const now = await live!
    if (changed || performance.now() - now.seenAt > LOOK_AGAIN_MS) {
      changed = false
      const digests = await digestsOf(now.channel, signal).catch((error: unknown) => {
        changed = true // still not looked at
        throw error
      })
      Object.assign(now, { digests, seenAt: performance.now() })
    }
    return now
  }
  const ask = async (operation: McpOperation, input: UpstreamInput, context: McpContext, limit: ProgressiveLimit) => {
    const { signal, prolong } = limit
    const { channel, digests } = await current(signal).catch((error: unknown) => endUnreached(pinned, error, context))
    if (pinned.tools[operation.tool] === undefined || digests.get(operation.tool) !== pinned.tools[operation.tool])
      return context.fail(
        'tool_changed',
        `The tool ${operation.tool} of ${pinned.name} is not the one that was accepted. A person looks at it, ` +
          'and runs: svc import mcp --update',
      )
    const params = {
      name: operation.tool,
      arguments: argumentsOf(operation, input),
      ...(context.trace && { _meta: { ...context.trace } }),
    }
    const answer = await channel
      .ask('tools/call', params, signal, prolong)
      .catch((error: unknown) => endWithoutResult(pinned, operation, error, context))
    return calledToolResult(pinned, operation, answer, context)
  }
  return {
    call: async <Output>(operation: McpOperation, input: object, context: McpContext) => {
      const limit = progressiveLimit(context.signal, operation.timeoutMs ?? timeoutMs)
      return (await ask(operation, input as UpstreamInput, context, limit).finally(limit.end)) as Output
    },
  }
}

/** A session with the server, whatever way leads to it. */
export function openMcpChannel(
  { server }: Pick<PinnedUpstream, 'server'>,
  environment: Environment,
  onNotice: (method: string) => void,
  answer?: AnswerForm,
): McpChannel {
  if ('url' in server) return httpChannel(server, environment[server.credential], onNotice, answer)
  return 'image' in server
    ? containerChannel(server, environment, onNotice)
    : childChannel(server, environment, onNotice)
}

async function begin(
  pinned: PinnedUpstream,
  { environment, answer }: { readonly environment: Environment; readonly answer: AnswerForm | undefined },
  signal: AbortSignal,
  onChange: () => void,
): Promise<Live> {
  const onNotice = (method: string): void => {
    if (method === 'notifications/tools/list_changed') onChange()
  }
  const channel = openMcpChannel(pinned, environment, onNotice, answer)
  try {
    await channel.begin(signal)
    channel.release()
    return { channel, digests: await digestsOf(channel, signal), seenAt: performance.now() }
  } catch (error) {
    channel.close()
    throw await withRefusal(pinned, error, channel)
  }
}

/** Errors of a process may come after its end. */
const ERRORS_WITHIN_MS = 200

/** An error with the permission that a child was refused, if the child says so; whoever calls learns no path. */
async function withRefusal({ server }: PinnedUpstream, error: unknown, { said }: McpChannel): Promise<unknown> {
  if (!(error instanceof Unreachable) || said === undefined) return error
  await new Promise((done) => setTimeout(done, ERRORS_WITHIN_MS))
  const refused = refusedPermission(server, said().replaceAll(/'\/[^'\n]*'/gu, "'PATH'"))
  return refused === '' ? error : new Unreachable(`${error.message} ${refused}`, error.sent)
}

const digestsOf = async (channel: McpChannel, signal: AbortSignal): Promise<ReadonlyMap<string, string>> =>
  new Map((await listUpstreamTools(channel, signal)).map((tool) => [tool.name, upstreamToolDigest(tool)]))

const argumentsOf = ({ renamed = {} }: McpOperation, input: UpstreamInput): JsonObject =>
  Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) =>
      value === undefined ? [] : [[Object.hasOwn(renamed, name) ? renamed[name]! : name, value as Json]],
    ),
  )
