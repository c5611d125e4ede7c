import type { BudgetContext } from '../../../protocol/invocation.js'
import type { Money } from '../../../protocol/money.js'
import type { IdempotencyKey } from '../../storage/contract.js'
import type { Lease } from './lease.js'

/**
 * Resources and spending of an invocation: all that a failure, an interruption or a crash must find again, and the
 * only mutable state of a call. Everything here is true whatever happens next.
 */
export interface Reserved {
  claim?: IdempotencyKey
  /** A place under the rate of invocations. */
  place?: true
  /** The rights to run alone: of an exclusive token, of the values of inputs. */
  leases?: Lease[]
  intent?: true
  budgetHold?: BudgetHold
  /**
   * Of the token's own ceiling when the budget hold was asked for: what was spent and reserved under it, and its most.
   */
  ceiling?: { readonly spent: bigint; readonly most: bigint }
  /** The handler was called: from here on the outcome may be an effect. */
  begun?: true
  /** Cost reported by the handler. */
  reported?: Money
  /** Spending of finished steps: true whether the composition succeeds or not. */
  steps?: StepSpending[]
}

export interface BudgetHold {
  readonly id: string
  readonly units: bigint
  readonly currency: string
  /** Under how many cumulative ceilings it is reserved. */
  readonly ceilings: number
}

export interface StepSpending {
  readonly cost?: Money
  /** The step held its amount itself, outside the reservation of the whole. */
  readonly isHeldApart: boolean
  /** Its price was an estimate that the whole could not know, and was checked by itself. */
  readonly isPricedApart: boolean
  /** Budget context that the call's own caller would read. */
  readonly priced?: {
    readonly budget: BudgetContext
    readonly checked: Money | undefined
    readonly heldUnits: bigint
  }
}
