import type { ApprovalRequest } from '../protocol/approval.js'
import type { InvokeRequest, Lineage } from '../protocol/invocation.js'
import type { JsonObject } from '../protocol/manifest.js'
import type { SideEffectType } from '../protocol/words.js'

/** A call that waits for a person, as JSON: store it, and `resume` it after a restart. */
export interface PendingCall extends Lineage, Pick<InvokeRequest, 'requested_effects' | 'budget'> {
  readonly capability: string
  readonly effect: SideEffectType
  /** Of what only streams: the continuation is followed to its end. */
  readonly unary?: false
  readonly parameters: JsonObject
  readonly approval_request_id: string
  /** Of the continuation: resumed twice, it has one effect and one answer. */
  readonly idempotency_key?: string
}

export interface WaitOptions {
  /**
   * `false`, the default, asks once; `true` waits for the decision; a number waits so many seconds. A call that still
   * waits then is `approval_required` with its `pending`.
   */
  readonly wait?: boolean | number
  /** Called with the open request: at once, and each time that the service is asked again. */
  readonly onPending?: (request: ApprovalRequest) => void
  readonly signal?: AbortSignal
}
