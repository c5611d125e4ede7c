import type { Service } from '../service.js'
import type { StoredRequest } from '../storage/contract.js'

const LOOK_EVERY_MS = 250

/**
 * The request as soon as it is decided, or as it is when the time is over or the service ends. Replicas decide too, so
 * storage is asked.
 */
export async function waitForDecision(
  service: Service,
  request: StoredRequest,
  seconds: number,
): Promise<StoredRequest> {
  let seen = request
  const { lifecycle } = service
  for (let looks = (seconds * 1000) / LOOK_EVERY_MS; seen.status === 'pending' && looks >= 1; looks--) {
    if (lifecycle.draining) break
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    seen = (await service.storage.approvals.get(request.approval_request_id)) ?? seen
  }
  return seen
}
