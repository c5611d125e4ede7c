import { isRecord } from '../../crypto/json/kinds.js'
import type { ServiceEvent } from '../../protocol/events.js'
import type { Json } from '../../protocol/manifest.js'
import { plainCopy } from '../json/plain-copy.js'
import type { AttemptedDelivery, DueDelivery } from '../storage/contract.js'
import { backOff } from './back-off.js'
import type { Deliverer } from './reporter.js'
import type { Delivered, NotifyTarget } from './targets/target.js'

const AT_ONCE = 8

/** Result of a batch. */
export interface Batch {
  readonly delivered: number
  /** Reason of the first failure. */
  readonly error?: string | undefined
}

/**
 * Delivers what is due and notes what became of it. After the first failure no other delivery is begun: what was not
 * tried waits, and is tried first when the target answers again. What was delivered and could not be noted is delivered
 * again, with the same id.
 */
export async function deliverBatch(
  { storage, now }: Pick<Deliverer, 'storage' | 'now'>,
  target: NotifyTarget,
  due: readonly DueDelivery[],
  signal: AbortSignal,
): Promise<Batch> {
  const attempts: AttemptedDelivery[] = []
  const waiting = [...due]
  let error: string | undefined
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined && error === undefined; next = waiting.shift()) {
      const attempt = await attemptOf(target, next, now(), signal)
      if (signal.aborted && !attempt.ok) return
      attempts.push(attempt)
      if (!attempt.ok) error ??= attempt.error
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  if (attempts.length > 0) await storage.outbox.settle(attempts)
  return { delivered: attempts.filter(({ ok }) => ok).length, error }
}

async function attemptOf(
  target: NotifyTarget,
  due: DueDelivery,
  now: number,
  signal: AbortSignal,
): Promise<AttemptedDelivery> {
  const { sequence, body, attempts } = due
  const sending = { event: JSON.parse(body) as ServiceEvent, body, now }
  const delivered = await Promise.resolve()
    .then(() => target.deliver(sending, signal))
    .then(plainCopy)
    .then(deliveredIn, () => UNREADABLE)
  if (delivered.ok) return { sequence, ok: true }
  return { sequence, ok: false, error: delivered.error, againInMs: backOff(attempts + 1, delivered.retryAfterMs) }
}

const UNREADABLE: Delivered = { ok: false, error: 'the target gave no plain answer' }

/** Reads a target's result for an event, from a copy (decisions, section 20). */
function deliveredIn(answer: Json | undefined): Delivered {
  const { ok, error, retryAfterMs } = isRecord(answer) ? answer : {}
  if (ok === true) return { ok }
  if (typeof error !== 'string') return UNREADABLE
  return { ok: false, error, retryAfterMs: typeof retryAfterMs === 'number' ? retryAfterMs : undefined }
}
