import { failure, FAILURES, businessFailure, type Failure, type FailureType } from '../../../protocol/failures.js'
import type { Json, JsonObject } from '../../../protocol/manifest.js'
import { Refusal } from '../../errors/refusal.js'

/** Thrown by `ctx.approvalRequired`: the handler wants an approval first. */
export class ApprovalNeeded extends Error {
  override readonly name = 'ApprovalNeeded'
  readonly preview: Json | undefined

  constructor(preview: Json | undefined) {
    super('An approval is required.')
    this.preview = preview
  }
}

/** Thrown when a handler takes longer than it may, or loses its exclusive lease: nobody knows what it has done. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

const BUSINESS_TYPE = /^[a-z][a-z0-9_]{0,63}$/u

/**
 * The refusal that a handler's `ctx.fail` means: a known type, or a business type of its own, which may name its 4xx
 * status.
 */
export function failureOfHandler(type: string, detail: string, data?: JsonObject, status?: number): Refusal {
  if (status === undefined) return new Refusal(named(type, detail, data))
  if (Object.hasOwn(FAILURES, type) || !Number.isInteger(status) || status < 400 || status > 499)
    throw new TypeError(`A handler failed with ${type} and status ${status}; a business failure may name a 4xx status.`)
  return new Refusal(named(type, detail, data), { status })
}

function named(type: string, detail: string, data?: JsonObject): Failure {
  if (!BUSINESS_TYPE.test(type))
    throw new TypeError(`A handler failed with ${JSON.stringify(type)}, which is not a failure type.`)
  if (!Object.hasOwn(FAILURES, type)) return businessFailure(type, detail, data)
  return failure(type as FailureType, detail, data === undefined ? {} : { data })
}
