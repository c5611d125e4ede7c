/** Tools for the OpenAI Agents SDK: `new Agent({ name, tools: await serviceTools(client, tools) })`. */
import { tool as functionTool, type FunctionTool, type RunContext } from '@openai/agents'
import { failure } from '../protocol/failures.js'
import type { Tool } from '../protocol/tools.js'
import { outputOf, shownOf } from './answer.js'
import { askFirst, takeOrCall, type Kept } from './ask-first.js'
import { withdrawCall } from './asked.js'
import { availableTools } from './available.js'
import type { ToolClient, ToolOptions, Toolbox } from './options.js'

export { ToolsUnavailable } from './available.js'
export type { ToolClient, ToolOptions } from './options.js'

/** A tool of an agent, whatever the agent's context. */
export type ServiceTool = FunctionTool<unknown, never, string>

/**
 * The tools that the client's token may call. A call that needs an approval asks the service and interrupts the run
 * (`result.interruptions`); `state.approve` goes on once the service's approver has agreed, `state.reject` withdraws
 * the request when the run is resumed.
 *
 * @example
 * const agent = new Agent({ name: 'Desk', model, tools: await serviceTools(client, tools, { conversation: chat.id }) })
 */
export async function serviceTools(
  client: ToolClient,
  tools: readonly Tool[],
  options: ToolOptions = {},
): Promise<ServiceTool[]> {
  const toolbox: Toolbox = { client, options }
  const kept: Kept = new Map()
  return (await availableTools(client, tools)).map((tool) => toolOf(toolbox, kept, tool))
}

function toolOf(toolbox: Toolbox, kept: Kept, tool: Tool): ServiceTool {
  const withdrawn = new Set<string>()
  const made = functionTool({
    name: tool.name,
    description: tool.description,
    parameters: tool.input_schema as never,
    strict: false,
    needsApproval: async (_: unknown, input: unknown, callId?: string) =>
      (await askFirst(toolbox, kept, { tool, input, callId })) !== undefined,
    execute: async (input: unknown, _: unknown, details) => {
      const call = { tool, input, callId: details?.toolCall?.callId, signal: details?.signal }
      return shown(outputOf(await takeOrCall(toolbox, kept, call), toolbox.options))
    },
    errorFunction: unreadable,
    isEnabled: async ({ runContext }) => {
      if (tool.approval !== 'never') await withdrawRejected(toolbox, tool, runContext, withdrawn)
      return true
    },
  })
  return made as object as ServiceTool
}

const shown = (output: Parameters<typeof shownOf>[0]): string => JSON.stringify(shownOf(output))

/** The one thing that fails before the service is asked: arguments that are no JSON. */
const unreadable = (): string =>
  JSON.stringify({ failure: failure('invalid_parameters', 'The arguments of the tool are not a JSON object.') })

/** A run that was resumed with a no asks for its tools again, and is told of no more than that. */
async function withdrawRejected(
  toolbox: Toolbox,
  tool: Tool,
  context: RunContext,
  withdrawn: Set<string>,
): Promise<void> {
  const rejected = context.toJSON().approvals[tool.name]?.rejected
  for (const callId of Array.isArray(rejected) ? rejected : []) {
    if (withdrawn.has(callId)) continue
    withdrawn.add(callId)
    await withdrawCall(toolbox, { tool, callId })
  }
}
