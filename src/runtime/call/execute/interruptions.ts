import { businessFailure, failure, FAILURES, type FailureType } from '../../../protocol/failures.js'
import type { BusinessFailure } from '../../../protocol/business-failures.js'
import type { Json, JsonObject } from '../../../protocol/manifest.js'
import { present } from '../../json/present.js'
import { plainCopy, textCopy } from '../../json/plain-copy.js'
import { wellFormed } from '../../json/well-formed.js'
import { FailedByHandler } from '../../errors/refusal.js'

/** Thrown by `ctx.approvalRequired`: the handler wants an approval first. */
export class ApprovalNeeded extends Error {
  override readonly name = 'ApprovalNeeded'
  readonly preview: Json | undefined

  constructor(preview: Json | undefined) {
    super('An approval is required.')
    const shown = plainCopy(preview)
    this.preview = shown && wellFormed(shown)
  }
}

/** Thrown when a handler takes longer than it may, or loses its exclusive lease: nobody knows what it has done. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** Failure that a handler gave to `ctx.fail`. */
interface Failed {
  readonly type: string
  readonly detail: string
  readonly data: JsonObject | undefined
  readonly status: number | undefined
}

/**
 * The refusal that a handler's `ctx.fail` means: a type of the interface, or a failure of the business that the
 * capability declares (`x-failures`), which may name another 4xx status.
 */
export function failureOfHandler(name: string, declared: readonly BusinessFailure[], failed: Failed): FailedByHandler {
  const { type, status } = failed
  if (typeof failed.detail !== 'string')
    throw new TypeError(`The handler of ${name} failed without a detail, ${NO_TEXT}`)
  if (typeof type !== 'string') throw new TypeError(`The handler of ${name} failed with a type that is no text.`)
  const detail = failed.detail.toWellFormed()
  const data = textCopy(failed.data) as JsonObject | undefined
  if (Object.hasOwn(FAILURES, type)) {
    if (status === undefined) return new FailedByHandler(failure(type as FailureType, detail, present({ data })))
  } else {
    const known = declared.find((each) => each.type === type)
    if (known === undefined)
      throw new TypeError(`The handler of ${name} failed with ${JSON.stringify(type)}, ${UNDECLARED}`)
    if (is4xx(status))
      return new FailedByHandler(businessFailure(type, detail, data), { status: status ?? known.status })
  }
  throw new TypeError(`The handler of ${name} failed with ${type} and status ${status}; ${ONLY_4XX}`)
}

const UNDECLARED = 'which is neither declared under x-failures of the capability nor a failure type of the interface.'
const NO_TEXT = 'which says as a sentence what the caller can do.'
const ONLY_4XX = 'only a failure of the business may name a status, and that is 4xx.'

const is4xx = (status: number | undefined): boolean =>
  status === undefined || (Number.isInteger(status) && status >= 400 && status <= 499)
