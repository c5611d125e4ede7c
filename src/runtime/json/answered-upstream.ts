import type { AnswerDeviation } from '../../protocol/invocation.js'

/** Facts about an upstream result: the runtime then judges it as a response, not against the contract. */
export interface Answered {
  /** A change that was carried out succeeds, however its answer reads. */
  readonly isRead: boolean
  readonly isStrict: boolean
  /** Holds where nothing was readable, or where nothing was to be read. */
  readonly isEmpty: boolean
  /** Holds where the answer is one field as a whole: a read of which nothing is left fails. */
  readonly isWhole: boolean
  /** Deviations found so far. */
  readonly deviations: readonly AnswerDeviation[]
  /** The result with numbers in the place of digits that no number holds. */
  readonly judged: object
}

const ANSWERED = new WeakMap<object, Answered>()

/** Marks a result as the answer of a service behind (decisions, section 19). */
export function answeredUpstream<Result extends object>(result: Result, answered: Answered): Result {
  ANSWERED.set(result, answered)
  return result
}

/** The mark of a result; undefined for what a handler made itself. */
export const answeredOf = (returned: unknown): Answered | undefined =>
  typeof returned === 'object' && returned !== null ? ANSWERED.get(returned) : undefined
