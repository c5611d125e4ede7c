import type { Service } from '../service.js'
import type { StoredRequest } from '../storage/contract.js'

const LOOK_EVERY_MS = 250

/**
 * The request as soon as it is decided, or as it is when the time is over or the service ends. A decision in this
 * process wakes whoever waits; replicas decide, too, and time does, so storage is asked.
 */
export async function waitForDecision(
  service: Service,
  request: StoredRequest,
  seconds: number,
): Promise<StoredRequest> {
  let seen = request
  const { lifecycle, decisions } = service
  const until = performance.now() + seconds * 1000
  while (seen.status === 'pending' && until - performance.now() >= LOOK_EVERY_MS) {
    if (lifecycle.draining) break
    await decisions.next(request.approval_request_id, LOOK_EVERY_MS)
    seen = (await service.storage.approvals.get(request.approval_request_id)) ?? seen
  }
  return seen
}
