import type { Json, JsonObject } from '../../../protocol/manifest.js'
import { declareConnection } from '../../connections/settings.js'
import type { UpstreamInput } from '../context.js'
import type { AnswerForm } from './asked-forms.js'
import { connectionAt } from './in-account.js'
import type { McpContext, McpOperation } from './operation.js'
import { endUnreached, endWithoutResult, calledToolResult } from './outcome.js'
import type { Environment, PinnedUpstream } from './pinned.js'
import { progressiveLimit, type ProgressiveLimit } from './time-limit.js'
import { noteConfinement } from './unconfined.js'
import { sessionsWith } from './sessions.js'

/** An MCP server behind this service. */
export interface McpUpstream {
  readonly call: <Output>(operation: McpOperation, input: object, context: McpContext) => Promise<Output>
}

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
  declareIn(pinned, environment)
  const sessionOf = sessionsWith(pinned, environment, answer)
  const ask = async (operation: McpOperation, input: UpstreamInput, context: McpContext, limit: ProgressiveLimit) => {
    const { signal, prolong } = limit
    const account = connectionAt(pinned, environment()) && context.account?.(pinned.name)
    const { channel, digests } = await sessionOf(account, signal).catch((error: unknown) =>
      endUnreached(pinned, error, context),
    )
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

function declareIn(pinned: PinnedUpstream, environment: () => Environment): void {
  if ('url' in pinned.server && pinned.server.connection !== undefined)
    declareConnection(pinned.name, () => connectionAt(pinned, environment()))
}

const argumentsOf = ({ renamed = {} }: McpOperation, input: UpstreamInput): JsonObject =>
  Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) =>
      value === undefined ? [] : [[Object.hasOwn(renamed, name) ? renamed[name]! : name, value as Json]],
    ),
  )
