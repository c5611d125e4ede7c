import { fromMinorUnits } from '../../protocol/money.js'
import { failure } from '../../protocol/failures.js'
import { present } from '../json/present.js'
import { holdProcessLease } from './process-lease.js'
import { recordAnyhow } from '../call/settle/waiting.js'
import { openHoldOf } from '../call/settle/open-hold.js'
import type { Service } from '../service.js'
import type { Intent, Settlement } from '../storage/contract.js'
import { timestamp } from '../json/timestamp.js'

const BATCH = 100

/**
 * Gives every intent whose process is gone the entry that it has coming: `outcome_unknown`, once, whoever finds it
 * first (section 6). What it held stays held, because it may have been spent. Gives how many there were. A process that
 * could not hold its own lease says nothing of others yet: they may have been cut off with it, and need as long.
 */
export async function recoverOrphans(service: Service): Promise<number> {
  // A process that was asleep, or whose clock was set forward, is not gone: its own invocations are not for it to end.
  await holdProcessLease(service)
  if (service.now() - service.lease.heldSince < service.limits.leaseMs) return 0
  const orphans = await service.storage.intents.orphans(BATCH)
  for (const intent of orphans) {
    await recordAnyhow(service, await settlementOf(service, intent))
    service.log.warn('An invocation was lost with its process.', { invocation_id: intent.invocation_id })
  }
  return orphans.length
}

async function settlementOf(service: Service, intent: Intent): Promise<Settlement> {
  const { invocation_id, draft, idempotency } = intent
  const hold = await openHoldOf(service.storage, draft)
  const cost_held = hold && fromMinorUnits(hold.units, hold.currency)
  return present({
    draft: present({ ...draft, cost_held, timestamp: timestamp(service.now()) }),
    closesIntent: invocation_id,
    answer: idempotency && { key: idempotency, invocationId: invocation_id, ...answerOf(intent) },
  })
}

/** Returns the response to repeated calls with the same idempotency key from now on. */
const answerOf = ({ invocation_id }: Intent) => ({
  status: 500,
  body: JSON.stringify({
    success: false,
    invocation_id,
    failure: failure('outcome_unknown', 'The service stopped before the outcome was recorded.'),
  }),
})
