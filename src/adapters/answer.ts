/** Formats an outcome for a model: the result, or the failure with what to do next. */
import type { AnyOutcome } from '../client/invoke.js'
import { failure } from '../protocol/failures.js'
import type { JsonObject } from '../protocol/manifest.js'
import { refusalForModel } from '../protocol/refusal-for-model.js'
import type { ToolOptions } from './options.js'

/** An outcome as JSON, for a user interface and for stores of conversations. */
export type ToolOutput =
  | { readonly success: true; readonly invocation_id: string; readonly result: JsonObject }
  | { readonly success: false; readonly invocation_id?: string; readonly failure: ToolFailure }

export interface ToolFailure {
  readonly type: string
  readonly detail: string
  /** May the very same call, unchanged, succeed later? */
  readonly retry: boolean
  readonly resolution: { readonly action: string; readonly recovery_class: string }
  /** For `approval_required`. */
  readonly approval_request_id?: string
  readonly [member: string]: unknown
}

const MAX_RESULT_CHARACTERS = 200_000

/** The outcome without what is of no use to a model, and no longer than it may be. */
export function outputOf(
  outcome: AnyOutcome,
  { maxResultCharacters = MAX_RESULT_CHARACTERS }: ToolOptions,
): ToolOutput {
  const { invocation_id } = outcome
  const output: ToolOutput = outcome.success
    ? { success: true, invocation_id: outcome.invocation_id, result: asObject(outcome.result) }
    : { success: false, ...(invocation_id !== undefined && { invocation_id }), failure: failureOf(outcome.failure) }
  const length = JSON.stringify(output).length
  return length <= maxResultCharacters ? output : tooLong(outcome, length, maxResultCharacters)
}

/**
 * Returns what the model is shown: the bare result, or an object whose `failure` gives the next step and the reason, in
 * 600 bytes at most.
 */
export const shownOf = (output: ToolOutput): JsonObject => {
  if (output.success) return output.result
  return refusalForModel(output)
}

const asObject = (result: unknown): JsonObject =>
  typeof result === 'object' && result !== null && !Array.isArray(result)
    ? (result as JsonObject)
    : { result: (result ?? null) as JsonObject[string] }

/** `pending` holds the parameters once more, and a key that is none of the model's business. */
function failureOf(failure: object): ToolFailure {
  const { pending: _, decision, ...rest } = failure as ToolFailure & { readonly pending?: unknown }
  return decision === undefined ? rest : { ...rest, decision: decidedIn(decision) }
}

/** Of a decision, what its requester may act on; the request itself holds parameters and previews. */
const decidedIn = (decision: unknown): object => {
  const { status, reason = null, decided_at = null } = Object(decision) as { readonly [name: string]: unknown }
  return { status, reason, decided_at }
}

const tooLong = ({ success, invocation_id }: AnyOutcome, length: number, most: number): ToolOutput => ({
  success: false,
  ...(invocation_id !== undefined && { invocation_id }),
  failure: failure(
    success ? 'payload_too_large' : 'internal_error',
    success
      ? `The call succeeded, but its result of ${length} characters is longer than the ${most} that may be shown ` +
          'here. Do not repeat it; ask for less.'
      : `The service refused the call in ${length} characters, more than the ${most} that may be shown here.`,
  ) as object as ToolFailure,
})
