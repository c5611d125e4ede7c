import type { Operation } from '../../protocol/endpoints.js'
import { failure, statusOf, type Failure } from '../../protocol/failures.js'
import { disclosed, disclosureLevel } from '../errors/disclosure.js'
import type { Call } from './endpoint.js'
import { present } from '../json/present.js'
import { Refusal } from '../errors/refusal.js'
import type { Service } from '../service.js'
import { traceMembers } from '../telemetry/traced-log.js'
import { StorageUnavailable } from '../storage/contract.js'
import { reasonOf } from '../errors/reason.js'

/** The answer to a call that was refused, whatever brought it. */
export interface ErrorResponse {
  readonly status: number
  /** Body for the caller: `success: false` and the failure (section 7). */
  readonly body: {
    readonly success: false
    readonly invocation_id?: string
    readonly client_reference_id?: string
    readonly failure: Failure
  }
  readonly retryAfter?: number
}

/** The answer to a call that ended in an error: as much of it as the caller may read. */
export function errorResponseOf(
  service: Service,
  operation: Operation | 'mcp' | 'console',
  call: Pick<Call, 'caller'> & Partial<Pick<Call, 'client' | 'trace'>>,
  error: unknown,
): ErrorResponse {
  const { status, retryAfter } = error instanceof Refusal ? error : {}
  const reason = error instanceof Refusal ? error.failure : unexpected(service, error)
  logRefusal(service, operation, reason.type, { ...call, reason: storeWords(error) })
  const { body, ...refused } = errorResponse(service, reason, call.caller.class)
  const { reads, reference: client_reference_id } = call.caller
  const invocation_id = reads === 'body' ? undefined : service.ids.invocation()
  const members = operation === 'invoke' ? present({ invocation_id, client_reference_id }) : {}
  return {
    ...refused,
    body: { success: false, ...members, failure: body.failure },
    ...(status !== undefined && { status }),
    ...(retryAfter !== undefined && { retryAfter }),
  }
}

/** Log lines a minute for one operation and failure type; further ones are in the counts of that minute. */
const LOGGED_OF_A_KIND = 5

function logRefusal(
  { refusalCounter, log, metrics }: Service,
  operation: string,
  failure_type: string,
  { caller, client, trace, reason }: Parameters<typeof errorResponseOf>[2] & { readonly reason: string | undefined },
): void {
  metrics?.refused(operation, failure_type)
  const times = refusalCounter.count(operation, failure_type)
  if (failure_type === 'internal_error' || times > LOGGED_OF_A_KIND) return
  const { principal, tokenId: token_id } = caller
  log.info(
    'A request was refused.',
    present({ operation, failure_type, reason, client, principal, token_id, ...traceMembers(trace) }),
  )
}

/** Reason of a store that is not available, in its own words. */
const storeWords = (error: unknown): string | undefined =>
  error instanceof StorageUnavailable ? error.message : undefined

/** The answer to what never became a call of an operation. */
export const errorResponse = ({ manifest }: Service, reason: Failure, callerClass?: string): ErrorResponse => ({
  status: statusOf(reason.type),
  body: { success: false, failure: disclosed(reason, disclosureLevel(manifest, callerClass)) },
})

/** Returns the failure for an unexpected error, without its text, which only the log has. */
export function unexpected(service: Service, error: unknown): Failure {
  if (error instanceof StorageUnavailable) return failure('service_unavailable', 'The store is not available.')
  service.log.error('A request failed.', {
    error: reasonOf(error),
  })
  return failure('internal_error', 'The service failed. Its log has the reason.')
}
