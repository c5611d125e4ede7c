import type { Failure } from '../../../protocol/failures.js'
import type { AnswerDeviation } from '../../../protocol/invocation.js'
import type { JsonObject } from '../../../protocol/manifest.js'
import type { Money } from '../../../protocol/money.js'
import type { Facts } from '../facts/facts.js'
import type { Invocation } from '../invocation.js'
import type { Reserved } from '../reserve/reserved.js'

/** Outcome of an invocation. */
export type CallOutcome = Done | FailedOutcome

export interface Done {
  readonly ok: true
  readonly result: JsonObject
  readonly deviations?: readonly AnswerDeviation[]
  readonly cost?: Money
}

export interface FailedOutcome {
  readonly ok: false
  readonly failure: Failure
  readonly cost?: Money
  /** HTTP status, where it is not that of the failure's type. */
  readonly status?: number
  readonly retryAfter?: number
}

/** An invocation that has ended: all that settling, recording and answering go by. */
export interface Ended {
  readonly invocation: Invocation
  readonly facts: Facts
  readonly reserved: Reserved
  readonly outcome: CallOutcome
}

/** An earlier invocation with the same idempotency key: its answer, byte for byte. */
export interface Replayed {
  readonly replayed: true
  readonly status: number
  readonly body: string
}
