/**
 * Tools for LangChain and LangGraph: `createAgent({ model, tools: await serviceTools(client, tools), checkpointer })`.
 */
import { ToolMessage } from '@langchain/core/messages'
import { tool as structuredTool, type StructuredToolInterface } from '@langchain/core/tools'
import { interrupt, isGraphInterrupt } from '@langchain/langgraph'
import type { AnyOutcome } from '../client/invoke.js'
import type { ApprovalRequest } from '../protocol/approval.js'
import { failure } from '../protocol/failures.js'
import type { Tool } from '../protocol/tools.js'
import { outputOf, shownOf } from './answer.js'
import { mayPause } from './ask-first.js'
import { askedRequest, waitsFor, withdrawAsked } from './asked.js'
import { availableTools } from './available.js'
import { callForModel, unanswered } from './call-tool.js'
import {
  allKnown,
  answerFor,
  beginCall,
  change,
  taskOf,
  turnToInterrupt,
  type CallOfTask,
  type Task,
} from './graph-task.js'
import type { ToolCall, ToolClient, ToolOptions, Toolbox } from './options.js'

export { ToolsUnavailable } from './available.js'
export type { ToolFailure, ToolOutput } from './answer.js'
export type { ToolClient, ToolOptions } from './options.js'

/** Interrupt payload that a graph shows under `__interrupt__`. */
export interface ApprovalInterrupt {
  readonly type: 'approval_required'
  readonly tool: string
  readonly input: unknown
  readonly approval_request_id: string
}

/**
 * The tools that the client's token may call. A call that needs an approval asks the service and interrupts the graph;
 * `Command({ resume: true })` goes on once the service's approver has agreed, `Command({ resume: false })` withdraws the request.
 * Where several calls of one `ToolNode` wait, an answer names its request: `{ approval_request_id, approved }`.
 * The graph's `thread_id` is the conversation, unless another one is given.
 *
 * @example
 * const agent = createAgent({ model, tools: await serviceTools(client, tools), checkpointer })
 */
export async function serviceTools(
  client: ToolClient,
  tools: readonly Tool[],
  options: ToolOptions = {},
): Promise<StructuredToolInterface[]> {
  const toolbox: Toolbox = { client, options }
  return (await availableTools(client, tools)).map((tool) => toolOf(toolbox, tool))
}

/** LangGraph has one for each run of a task. */
const SCRATCHPAD = '__pregel_scratchpad'

/** Call details that LangChain passes to a tool. */
interface Config {
  readonly toolCall?: { readonly id?: string }
  readonly configurable?: { readonly thread_id?: string; readonly [SCRATCHPAD]?: object }
  readonly signal?: AbortSignal
}

function toolOf({ client, options }: Toolbox, tool: Tool): StructuredToolInterface {
  const { name, description, input_schema } = tool
  const execute = async (input: unknown, { toolCall, signal, configurable }: Config): Promise<ToolMessage | string> => {
    const thread = configurable?.thread_id
    const toolbox = { client, options: { ...(thread !== undefined && { conversation: thread }), ...options } }
    const call: ToolCall = { tool, input, callId: toolCall?.id, signal }
    return messageOf(
      toolbox,
      call,
      mayPause(toolbox, call)
        ? await within(taskOf(configurable?.[SCRATCHPAD]), toolbox, call)
        : await callForModel(toolbox, call),
    )
  }
  const made = structuredTool(execute as never, { name, description, schema: input_schema as never })
  // Inputs are judged by the service, which answers what is wrong with them and leaves it on the trail.
  const unchecked = structuredTool(execute as never, { name, description, schema: { type: 'object' } as never })
  return Object.assign(made, { invoke: unchecked.invoke.bind(unchecked) }) as never
}

/** The model reads the content; an application finds the outcome in `artifact`. */
function messageOf({ options }: Toolbox, { tool, callId }: ToolCall, outcome: AnyOutcome): ToolMessage | string {
  const artifact = outputOf(outcome, options)
  const content = JSON.stringify(shownOf(artifact))
  if (callId === undefined) return content
  const status = artifact.success ? 'success' : 'error'
  return new ToolMessage({ content, artifact, status, tool_call_id: callId, name: tool.name })
}

async function within(task: Task, toolbox: Toolbox, call: ToolCall): Promise<AnyOutcome> {
  const own = beginCall(task)
  try {
    return await pausing({ task, own, call }, toolbox)
  } finally {
    change(task, own, { isKnown: true, hasEnded: true })
  }
}

interface Pausing {
  readonly task: Task
  readonly own: CallOfTask
  readonly call: ToolCall
}

/**
 * A graph that is resumed runs its node anew. So what was asked is looked up first: a no must be heard before anything
 * is called.
 */
async function pausing(pausing: Pausing, toolbox: Toolbox): Promise<AnyOutcome> {
  const { task, own, call } = pausing
  const asked = await askedRequest(toolbox, call).catch((error: unknown) => {
    toolbox.options.onError?.(error, call.tool)
    return unanswered({ effect: 'read', financial: false })
  })
  if (!asked.success) return asked as AnyOutcome
  const request = asked.result as ApprovalRequest | undefined
  change(task, own, { request: request?.approval_request_id, isKnown: true })
  if (request !== undefined && isNo(await answered(pausing, request.approval_request_id)))
    return declined(toolbox, request)
  const outcome = await callForModel(toolbox, call)
  const waiting = waitsFor(outcome)
  if (request === undefined && waiting !== undefined) await pause(pausing, waiting)
  return outcome
}

/** The answer to a request; without one, the graph is interrupted. */
async function answered(pausing: Pausing, request: string): Promise<unknown> {
  await allKnown(pausing.task)
  pausing.task.answers ??= answersGiven()
  return answerFor(pausing.task, pausing.own) ?? pause(pausing, request)
}

const MOST_ANSWERS = 1000

/** LangGraph gives answers in the order of questions, which calls that run at once do not have: so all are taken. */
function answersGiven(): readonly unknown[] {
  const answers: unknown[] = []
  try {
    while (answers.length < MOST_ANSWERS) answers.push(interrupt(undefined))
  } catch {
    return answers
  }
  return answers
}

/** Interrupts the graph, or gives what it was resumed with; a tool outside a graph that could be resumed goes on. */
async function pause({ task, own, call }: Pausing, approval_request_id: string): Promise<unknown> {
  await turnToInterrupt(task, own)
  const { tool, input } = call
  const value: ApprovalInterrupt = { type: 'approval_required', tool: tool.name, input, approval_request_id }
  try {
    return interrupt(value)
  } catch (error) {
    if (isGraphInterrupt(error)) throw error
    return undefined
  }
}

/**
 * `false`, or an object that says so, as the middleware of LangChain does. Anything else goes on, and grants nothing.
 */
function isNo(resumed: unknown): boolean {
  const { approved, type } = Object(resumed) as { readonly approved?: unknown; readonly type?: unknown }
  return resumed === false || approved === false || type === 'reject'
}

async function declined(toolbox: Toolbox, request: ApprovalRequest): Promise<AnyOutcome> {
  await withdrawAsked(toolbox, request)
  const { approval_request_id } = request
  const detail = 'The user declined the call, and its approval request was withdrawn.'
  return { success: false, failure: failure('approval_required', detail, { approval_request_id }) as never }
}
