import type { FailureType } from '../protocol/failures.js'
import type { InvokeRequest, Lineage } from '../protocol/invocation.js'
import type { JsonObject } from '../protocol/manifest.js'
import type { Declared, Outcome, Refused } from './outcome.js'
import { jsonOf, pathWith, PATHS, send, TransportError, type Connection } from './transport.js'

/** What may be said beside the inputs of a call. */
export interface CallOptions extends Lineage {
  /** A grant that was given for exactly this call. */
  readonly approval_grant?: string
  /** Remembered by the service for 24 h: the same key and inputs give the same answer, and no second effect. */
  readonly idempotency_key?: string
  readonly signal?: AbortSignal
}

/** What the client knows of a capability. */
export interface Registration {
  readonly capability: string
  readonly effect: 'read' | 'write' | 'transactional' | 'irreversible'
}

export type AnyOutcome = Outcome<unknown, Refused<FailureType> | Declared<string>>

/** Invokes a capability once and gives its envelope. */
export async function invokeOnce(
  connection: Connection,
  { capability }: Registration,
  parameters: object,
  { signal, idempotency_key, ...request }: CallOptions,
): Promise<AnyOutcome> {
  const body: InvokeRequest = { parameters: parameters as JsonObject, ...request }
  const headers = idempotency_key === undefined ? {} : { 'Idempotency-Key': idempotency_key }
  const response = await send(connection, pathWith(PATHS.invoke, capability), { body, headers, signal })
  const envelope = await jsonOf(response)
  if (isEnvelope(envelope)) return envelope
  throw new TransportError(`${response.url} answered ${response.status} without an envelope.`, {
    status: response.status,
  })
}

const isEnvelope = (body: {
  readonly [name: string]: unknown
}): body is AnyOutcome & { readonly [name: string]: unknown } =>
  body['success'] === true ? 'result' in body : typeof body['failure'] === 'object' && body['failure'] !== null
