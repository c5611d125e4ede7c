import { digestOf } from '../../crypto/digest.js'
import type { JsonObject } from '../../protocol/manifest.js'
import { refuse } from '../refusal.js'
import type { Service } from '../service.js'
import type { Invocation } from './invocation.js'
import type { Replayed } from './outcome.js'

/** Claims the idempotency key of a call, or gives the answer that the first call with it got (decisions, section 4). */
export async function claimKey(
  service: Service,
  invocation: Invocation,
  inputs: JsonObject,
): Promise<Replayed | undefined> {
  const { idempotencyKey, token, name: capability, id, soFar } = invocation
  if (idempotencyKey === undefined) return undefined
  const claim = { subject: token.claims.sub, capability, key: `${token.claims.root_principal} ${idempotencyKey}` }
  const expiresAt = service.now() + service.limits.idempotencyMs
  const start = await service.storage.idempotency.start(claim, digestOf(inputs), id, expiresAt)
  switch (start.state) {
    case 'answered':
      return { replayed: true, status: start.status, body: start.body }
    case 'in_progress':
      return refuse('idempotency_in_progress', 'The first call with this idempotency key has not ended yet.')
    case 'conflict':
      return refuse('idempotency_conflict', 'This idempotency key was used with other parameters.')
    default:
      soFar.claim = claim
      return undefined
  }
}
