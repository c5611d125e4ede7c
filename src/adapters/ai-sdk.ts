/**
 * Tools for the AI SDK, versions 6 and 7: `generateText({ model, prompt, ...(await serviceTools(client, tools)) })`.
 */
import { jsonSchema, type ModelMessage, type ToolSet } from 'ai'
import type { Tool } from '../protocol/tools.js'
import { wasAsked, deniedCalls } from './ai-sdk-messages.js'
import { askFirst, takeOrCall, type Kept } from './ask-first.js'
import { withdrawCall } from './asked.js'
import { availableTools } from './available.js'
import { outputOf, shownOf, type ToolOutput } from './answer.js'
import type { ToolCall, ToolClient, ToolOptions, Toolbox } from './options.js'

export { ToolsUnavailable } from './available.js'
export type { ToolFailure, ToolOutput } from './answer.js'
export type { ToolClient, ToolOptions } from './options.js'

/** Call, as the AI SDK passes it to an approval hook. */
interface CallMade {
  readonly toolCallId: string
  readonly messages: ModelMessage[]
}

/** Settings of `generateText`, `streamText` and `ToolLoopAgent`, to be spread among the others. */
export interface ServiceTools {
  readonly tools: ToolSet
  /** Version 7 asks here whether a call waits for a person; version 6 asks the tools. */
  readonly toolApproval: { readonly [name: string]: (input: unknown, call: CallMade) => Promise<ApprovalStatus> }
  /** Withdraws what the user has declined. Call it in your own `prepareStep`, if you have one. */
  readonly prepareStep: (step: { readonly stepNumber: number; readonly messages: ModelMessage[] }) => Promise<object>
}

type ApprovalStatus = 'not-applicable' | { readonly type: 'user-approval'; readonly reason?: string }

/**
 * The tools that the client's token may call. A call that needs an approval asks the service and pauses the run
 * (`tool-approval-request`); the user's yes goes on once the service's approver has agreed, the user's no withdraws the
 * request.
 *
 * @example
 * const result = await generateText({ model, prompt, ...(await serviceTools(client, tools, { conversation: chat.id }))
 * })
 */
export async function serviceTools(
  client: ToolClient,
  tools: readonly Tool[],
  options: ToolOptions = {},
): Promise<ServiceTools> {
  const toolbox: Toolbox = { client, options }
  const kept: Kept = new Map()
  const available = await availableTools(client, tools)
  const pausing = available.filter(({ approval }) => approval !== 'never' && options.approval !== 'wait')
  return {
    tools: Object.fromEntries(available.map((tool) => [tool.name, toolOf(toolbox, kept, tool)])),
    toolApproval: Object.fromEntries(
      pausing.map((tool) => [tool.name, (input, call) => statusOf(toolbox, kept, tool, input, call)]),
    ),
    prepareStep: async ({ stepNumber, messages }) => {
      if (stepNumber === 0) await withdrawDenied(toolbox, available, messages)
      return {}
    },
  }
}

function toolOf(toolbox: Toolbox, kept: Kept, tool: Tool): ToolSet[string] {
  const { title, description, input_schema } = tool
  return {
    title,
    description,
    inputSchema: jsonSchema(input_schema as object),
    needsApproval: async (input: unknown, call: CallMade) =>
      (await statusOf(toolbox, kept, tool, input, call)) !== 'not-applicable',
    execute: async (
      input: unknown,
      { toolCallId, abortSignal }: { readonly toolCallId: string; readonly abortSignal?: AbortSignal | undefined },
    ): Promise<ToolOutput> => {
      const call: ToolCall = { tool, input, callId: toolCallId, signal: abortSignal }
      return outputOf(await takeOrCall(toolbox, kept, call), toolbox.options)
    },
    toModelOutput: ({ output }: { readonly output: ToolOutput }) => ({
      type: output.success ? ('json' as const) : ('error-json' as const),
      value: shownOf(output) as never,
    }),
  }
}

/** A run that is resumed asks once more, when the answer is there: that it waited is all there is to say. */
async function statusOf(
  toolbox: Toolbox,
  kept: Kept,
  tool: Tool,
  input: unknown,
  { toolCallId, messages }: CallMade,
): Promise<ApprovalStatus> {
  if (wasAsked(messages, toolCallId)) return { type: 'user-approval' }
  const request = await askFirst(toolbox, kept, { tool, input, callId: toolCallId })
  return request === undefined
    ? 'not-applicable'
    : { type: 'user-approval', reason: `The service waits for an approver: ${request}` }
}

async function withdrawDenied(
  toolbox: Toolbox,
  tools: readonly Tool[],
  messages: readonly ModelMessage[],
): Promise<void> {
  for (const { toolName, toolCallId } of deniedCalls(messages)) {
    const tool = tools.find(({ name }) => name === toolName)
    if (tool !== undefined) await withdrawCall(toolbox, { tool, callId: toolCallId })
  }
}
