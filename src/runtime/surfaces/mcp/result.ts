import { isRecord } from '../../../crypto/json/kinds.js'
import { takeBlocks } from './blocks.js'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { refusalForModel } from '../../../protocol/refusal-for-model.js'
import type { Failure } from '../../../protocol/failures.js'
import type { Json, JsonObject } from '../../../protocol/manifest.js'

/** An answer of an endpoint: an envelope (section 4.6), or the failure of a call that never became an invocation. */
export type GovernedAnswer = JsonObject & { readonly success?: Json; readonly result?: Json; readonly failure?: Json }

/** Members of an invocation beside its result. */
const BESIDE = ['invocation_id', 'client_reference_id', 'task_id', 'parent_invocation_id', 'cost_actual', 'budget_context', 'retry_after'] as const // prettier-ignore

/**
 * The result of a tool. A refusal is a result, too: a model and its framework can act on it. The text has the same JSON,
 * of a refusal what a model needs, because many frameworks show models nothing else; images, sounds and resources of a
 * server behind follow.
 */
export function toolResultOf(answer: GovernedAnswer): CallToolResult {
  const isDone = answer.success === true
  const { blocks, rest } = isDone ? takeBlocks(contentOf(answer.result)) : { blocks: [], rest: failureOf(answer) }
  return {
    content: [{ type: 'text', text: JSON.stringify(isDone ? rest : refusalForModel(rest as never)) }, ...blocks],
    structuredContent: rest,
    ...(!isDone && { isError: true }),
    _meta: { 'svc-kit/invocation': Object.fromEntries(BESIDE.flatMap((name) => pairOf(answer, name))) },
  }
}

const contentOf = (result: Json | undefined): JsonObject => (isRecord(result) ? result : { result: result ?? null })

/** The failure with the id that finds it in the trail. */
const failureOf = ({ failure, invocation_id }: GovernedAnswer): JsonObject =>
  invocation_id === undefined ? { failure: failure! } : { failure: failure!, invocation_id }

const pairOf = (answer: GovernedAnswer, name: string) => (Object.hasOwn(answer, name) ? [[name, answer[name]]] : [])

/** A failure that no invocation stands behind: of an approval that was decided, or of one still awaited. */
export const refusedResult = (failure: Failure): CallToolResult =>
  toolResultOf({ success: false, failure: failure as object as JsonObject })
