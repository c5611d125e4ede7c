import { availableIn, failure, type Failure, type FailureType } from '../../protocol/failures.js'

/**
 * Refusal that ends an operation early: everything but a check throws it, and only `call/invoke.ts` and the surfaces
 * catch it.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly failure: Failure
  /** HTTP status where it is not that of the failure's type: a business failure may name its own. */
  readonly status: number | undefined
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | undefined

  constructor(reason: Failure, answer: { readonly status?: number; readonly retryAfter?: number } = {}) {
    super(reason.detail)
    this.failure = answer.retryAfter === undefined ? reason : availableIn(reason, answer.retryAfter)
    this.status = answer.status
    this.retryAfter = answer.retryAfter
  }
}

/**
 * Failure that a handler reports by `ctx.fail`: its work was not done. Any other refusal that it lets through is an
 * ordinary error.
 */
export class FailedByHandler extends Refusal {}

type Extra = Parameters<typeof failure>[2]

/** Refuses with a failure of the table (section 7). */
export function refuse(type: FailureType, detail: string, extra?: Extra): never {
  throw new Refusal(failure(type, detail, extra))
}
