import { digestOf } from '../../../crypto/json/digest.js'
import type { Envelope, InvokeRequest } from '../../../protocol/invocation.js'
import type { JsonObject } from '../../../protocol/manifest.js'
import { disclosed, disclosureLevel } from '../../errors/disclosure.js'
import { refuse } from '../../errors/refusal.js'
import type { Service } from '../../service.js'
import type { Invocation } from '../invocation.js'
import type { Replayed } from '../settle/outcome.js'
import type { Reserved } from './reserved.js'

/** Claims the idempotency key of a call, or gives the answer that the first call with it got (decisions, section 4). */
export async function claimKey(
  service: Service,
  invocation: Invocation,
  inputs: JsonObject,
  reserved: Reserved,
): Promise<Replayed | undefined> {
  const { token, name: capability, id, request, idempotencyKey } = invocation
  if (idempotencyKey === undefined) return undefined
  // Steps of a composition may have had effects when it began to wait: its first answer stays, and its continuation is
  // a call of its own.
  const isComposed = service.capabilities.get(capability)?.composition !== undefined
  const grant = isComposed && request.approval_grant !== undefined ? ` ${request.approval_grant}` : ''
  const key = `${token.claims.root_principal} ${idempotencyKey}${grant}`
  const claim = { subject: token.claims.sub, capability, key }
  const expiresAt = service.now() + service.limits.idempotencyMs
  const vouched = service.clock.vouched()
  const start = await service.storage.idempotency.start(claim, digestOfCall(inputs, request), id, expiresAt, vouched)
  switch (start.state) {
    case 'answered':
      return { replayed: true, status: start.status, body: disclosedBody(service, invocation, start.body) }
    case 'in_progress':
      return refuse(
        'idempotency_in_progress',
        'The first call with this idempotency key is still running. Wait, then send it again.',
      )
    case 'conflict':
      return refuse(
        'idempotency_conflict',
        'This idempotency key was used with other parameters, another budget or other effects.',
      )
    default:
      reserved.claim = claim
      return undefined
  }
}

/** Tells calls under one key apart: by their inputs, and by what bounds their effects beside these. */
function digestOfCall(inputs: JsonObject, { budget, requested_effects: effects }: InvokeRequest): string {
  if (budget === undefined && effects === undefined) return digestOf(inputs)
  return digestOf([inputs, { ...budget }, [...new Set(effects)].toSorted()])
}

/** The first answer byte for byte, unless it says more of a failure than this caller's class may read. */
function disclosedBody({ manifest }: Service, { token }: Invocation, body: string): string {
  const level = disclosureLevel(manifest, token.claims.caller_class)
  if (level === 'full') return body
  const envelope = JSON.parse(body) as Envelope
  return envelope.success ? body : JSON.stringify({ ...envelope, failure: disclosed(envelope.failure, level) })
}
