import type { Service } from '../service.js'
import type { StoredRequest } from '../storage/contract.js'

const LOOK_EVERY_MS = 250

/** The request as soon as it is decided, or as it is when the time is over. Replicas decide too, so storage is asked. */
export async function waitForDecision(
  service: Service,
  request: StoredRequest,
  seconds: number,
): Promise<StoredRequest> {
  let seen = request
  for (let looks = (seconds * 1000) / LOOK_EVERY_MS; seen.status === 'pending' && looks >= 1; looks--) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    seen = (await service.storage.approvals.get(request.approval_request_id)) ?? seen
  }
  return seen
}
