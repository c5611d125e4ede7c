import type { ApprovalRequest } from '../protocol/approval.js'
import type { FailureType } from '../protocol/failures.js'
import type { InvokeRequest, Lineage } from '../protocol/invocation.js'
import type { Budget } from '../protocol/token.js'
import type { JsonObject } from '../protocol/manifest.js'
import { hasShape, type AnswerShape } from './answer-shape.js'
import type { Declared, Outcome, Refused } from './outcome.js'
import { withRetries, type Attempt, type RetryOptions } from './retry.js'
import {
  isFailure,
  jsonBody,
  pathWith,
  PATHS,
  retryAfterMs,
  send,
  TransportError,
  unexpectedAnswer,
  type Connection,
} from './transport.js'

/** Options of a call, beside its inputs. */
export interface CallOptions extends Lineage, RetryOptions {
  /** Effects that the call is made for; refused if the capability does not produce them. */
  readonly requested_effects?: readonly string[]
  /** Ceiling of this call, within the budget of the token. */
  readonly budget?: Budget
  /** A grant that was given for exactly this call. */
  readonly approval_grant?: string
  /**
   * Remembered by the service for 24 h: the same key and inputs give the same answer, and no second effect. Made for
   * each call that changes something, costs money or uses up a grant, unless it is given.
   */
  readonly idempotency_key?: string
  readonly signal?: AbortSignal
}

/** Options of a call that may need an approval. */
export interface MethodOptions extends CallOptions {
  /**
   * Wait for the approver by long-poll, then continue. Without it, `approval_required` is an outcome like any other;
   * with it, too, where the signal ends the wait: its `pending` is what to `resume`.
   */
  readonly approval?: 'wait'
  /** With `approval: 'wait'`: called with the open request, at once, and each time that the service is asked again. */
  readonly onPending?: (request: ApprovalRequest) => void
}

/** Capability as the client knows it. */
export interface Registration {
  readonly capability: string
  readonly effect: 'read' | 'write' | 'transactional' | 'irreversible'
  /** Of what only reads: the other ones are not repeated without a key anyway. */
  readonly costs?: true
  readonly streams?: true
  /** Of what can end in `approval_required`. */
  readonly approvable?: true
  /** Of what only streams. */
  readonly unary?: false
}

/** A capability's outcome before its type is known. */
export type AnyOutcome = Outcome<unknown, Refused<FailureType> | Declared<string>>

/** Invokes a capability and gives its envelope; repeats the call where that is safe and may help. */
export async function invokeCapability(
  connection: Connection,
  registration: Registration,
  parameters: object,
  options: CallOptions,
): Promise<AnyOutcome> {
  const { signal, retries = connection.retries, idempotency_key, ...request } = options
  const key = idempotency_key ?? keyFor(registration, request)
  const attempt = async (): Promise<Attempt<AnyOutcome>> => {
    const response = await sendInvocation(
      connection,
      registration,
      { parameters: parameters as JsonObject, ...continuing(registration, request), ...request },
      key,
      signal,
    )
    const wait = retryAfterMs(response.headers)
    return {
      outcome: await envelopeOf(connection, response, signal, request),
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
    }
  }
  return withRetries(attempt, { ...(retries === undefined ? {} : { retries }), signal })
}

/** A call that may have been approved since it was last made goes on under that grant. */
export const continuing = (
  { approvable }: Registration,
  { approval_grant }: Pick<CallOptions, 'approval_grant'>,
): Pick<InvokeRequest, 'approval'> =>
  approvable === true && approval_grant === undefined ? { approval: 'continue' } : {}

/**
 * A call that changes something, costs money or uses up a grant gets a key, so that repeating it is safe; any other
 * needs none.
 */
export const keyFor = (
  { effect, costs }: Registration,
  { approval_grant }: Pick<CallOptions, 'approval_grant'>,
): string | undefined =>
  effect === 'read' && costs !== true && approval_grant === undefined ? undefined : crypto.randomUUID()

export function sendInvocation(
  connection: Connection,
  { capability }: Registration,
  body: InvokeRequest,
  idempotencyKey: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const headers = {
    ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
    ...(body.stream === true ? { Accept: 'text/event-stream, application/json' } : {}),
  }
  return send(connection, pathWith(PATHS.invoke, capability), { body, headers, signal })
}

/** The envelope of an answer; throws when there is none, and when it is one of another call. */
export async function envelopeOf(
  connection: Connection,
  response: Response,
  signal: AbortSignal | undefined,
  asked: Lineage,
): Promise<AnyOutcome> {
  const envelope = await jsonBody(connection, response, signal)
  if (!isEnvelope(envelope))
    throw unexpectedAnswer(response, `${response.url} answered ${response.status} without an envelope`)
  assertSameCall(asked, envelope, response)
  return envelope
}

const BESIDE: AnswerShape = {
  client_reference_id: 'string?',
  task_id: 'string?',
  parent_invocation_id: 'string?',
  upstream_service: 'string?',
  cost_actual: 'object?',
  budget_context: 'object?',
}

export const isEnvelope = (body: unknown): body is AnyOutcome & { readonly [name: string]: unknown } =>
  hasShape(body, BESIDE) &&
  (body['success'] === true
    ? 'result' in body && hasShape(body, { invocation_id: 'string' })
    : body['success'] === false && isFailure(body['failure']) && hasShape(body, { invocation_id: 'string?' }))

/** Rejects an envelope that does not repeat the caller's lineage (section 4.6): it belongs to another call. */
export function assertSameCall(asked: Lineage, told: Lineage, { status }: Response): void {
  for (const name of ['client_reference_id', 'task_id', 'parent_invocation_id', 'upstream_service'] as const)
    if (asked[name] !== undefined && told[name] !== undefined && told[name] !== asked[name])
      throw new TransportError(`The answer is one of another call: its ${name} is not the one that was sent.`, {
        status,
      })
}
