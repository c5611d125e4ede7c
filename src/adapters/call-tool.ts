import type { AnyOutcome } from '../client/invoke.js'
import { failure } from '../protocol/failures.js'
import type { Tool } from '../protocol/tools.js'
import type { ToolCall, Toolbox } from './options.js'
import { referenceKeyOf, referenceOf } from './reference.js'

/**
 * Makes the governed call of a tool call. Under the same call id and inputs it has one effect and one answer, so that
 * what a framework repeats when it resumes a run is the same call. Throws nothing but the reason of its own signal.
 */
export async function callForModel({ client, options }: Toolbox, call: ToolCall): Promise<AnyOutcome> {
  const { tool, input, callId, signal } = call
  const named =
    callId === undefined
      ? {}
      : { idempotency_key: await referenceKeyOf(options, call), client_reference_id: await referenceOf(options, call) }
  try {
    return await client.invoke(tool.capability, parametersOf(input), {
      ...named,
      ...(options.task_id !== undefined && { task_id: options.task_id }),
      ...(options.approval === 'wait' && { approval: 'wait' }),
      ...(signal !== undefined && { signal }),
    })
  } catch (error) {
    signal?.throwIfAborted()
    options.onError?.(error, tool)
    return unanswered(tool)
  }
}

/** Passes other values than objects on, so that the service refuses and audits them. */
const parametersOf = (input: unknown): object => (input ?? {}) as object

/** Nobody knows what became of a call without an answer; of one that only reads, it does not matter. */
export const unanswered = ({ effect, financial }: Pick<Tool, 'effect' | 'financial'>): AnyOutcome => ({
  success: false,
  failure: (effect === 'read' && !financial
    ? failure('service_unavailable', 'The service gave no usable answer. Try again later.')
    : failure(
        'outcome_unknown',
        'The service gave no usable answer, so the call may have had its effect. Find out before calling again.',
      )) as never,
})
