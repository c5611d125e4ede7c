import type { Failure } from '../../../protocol/failures.js'
import type { JsonObject } from '../../../protocol/manifest.js'
import type { Money } from '../../../protocol/money.js'

/** How an invocation ended. */
export type Outcome = Done | Failed | Replayed

export interface Done {
  readonly ok: true
  readonly result: JsonObject
  readonly cost?: Money
}

export interface Failed {
  readonly ok: false
  readonly failure: Failure
  readonly cost?: Money
  /** HTTP status, where it is not that of the failure's type. */
  readonly status?: number
  readonly retryAfter?: number
}

/** An earlier invocation with the same idempotency key: its answer, byte for byte. */
export interface Replayed {
  readonly replayed: true
  readonly status: number
  readonly body: string
}
