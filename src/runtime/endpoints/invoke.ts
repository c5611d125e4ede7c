import { takeCall } from '../auth/held-places.js'
import { begin } from '../call/invocation.js'
import { invoke as run } from '../call/invoke.js'
import { clientReferenceOf, idempotencyKeyOf, invokeRequestOf } from '../call/request.js'
import { streamed } from '../call/stream.js'
import { delegationOf } from '../endpoint/delegation.js'
import { tracedCallOf } from '../telemetry/tracing.js'
import type { Endpoint } from '../endpoint/endpoint.js'

/** POST /svc/invoke/{capability} (section 4.6). */
export const invokeEndpoint: Endpoint = async (service, call) => {
  const token = await delegationOf(service, call)
  call.caller.reads = 'body'
  const body = await call.body()
  call.caller.reference = clientReferenceOf(body)
  const request = invokeRequestOf(body)
  call.caller.reads = 'headers'
  const idempotencyKey = idempotencyKeyOf(call.idempotencyKey)
  const id = service.ids.invocation()
  const { trace, conversation } = call
  const name = call.segments['capability'] ?? ''
  const span = service.tracing?.begin(tracedCallOf(service, name, id), trace)
  const asked = { id, name, token, request, idempotencyKey, trace, span, conversation }
  if (request.stream === true) return streamed(service, asked)
  const release = takeCall(service, token)
  const { status, body: text, replayed, retryAfter } = await run(service, begin(asked)).finally(release)
  return { status, text, replayed, retryAfter }
}
