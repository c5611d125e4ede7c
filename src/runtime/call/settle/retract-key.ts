import type { Service } from '../../service.js'
import type { Settlement } from '../../storage/contract.js'

/** Takes back the answer that another process gave under the key of an invocation that did nothing. */
export async function retractKey({ storage }: Service, { givesBack }: Settlement): Promise<void> {
  if (givesBack !== undefined) await storage.idempotency.retract(givesBack.key, givesBack.invocationId)
}
