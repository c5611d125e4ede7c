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
  /** Reason of the first failure of the target itself. */
  readonly error?: string | undefined
  /** Events that the target refused, each with its first status: the next one may pass. */
  readonly refused: readonly { readonly due: DueDelivery; readonly error: string }[]
  /** Number of events that ended because the target is gone for good. */
  readonly gone: number
}

/** Refused events without a delivered one, after which the target counts as failing. */
export const MOST_REFUSED = 3

/** Error of a target that wants no more of an event (RFC 9110, section 15.5.11). */
const GONE = 'status 410'

/** Statuses of a target that is away or takes no more for now, whatever it is sent. */
const AWAY = ['status 408', 'status 425', 'status 429', 'status 502', 'status 503', 'status 504']

const isOfTheEvent = (error: string): boolean => error.startsWith('status ') && !AWAY.includes(error)

/**
 * Delivers what is due and notes what became of it. After a failure of the target no other delivery is begun: what was
 * not tried waits, and is tried first when the target answers again. An event that the target refuses delays no other.
 * What was delivered and could not be noted is delivered again, with the same id.
 */
export async function deliverBatch(
  { storage, now }: Pick<Deliverer, 'storage' | 'now'>,
  target: NotifyTarget,
  due: readonly DueDelivery[],
  signal: AbortSignal,
): Promise<Batch> {
  const attempts: AttemptedDelivery[] = []
  const refused: { due: DueDelivery; error: string }[] = []
  const gone: number[] = []
  const waiting = [...due]
  let [delivered, error]: [number, string | undefined] = [0, undefined]
  const goesOn = () => error === undefined && (delivered > 0 || refused.length < MOST_REFUSED)
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined && goesOn(); next = waiting.shift()) {
      const attempt = await attemptOf(target, next, now(), signal)
      if (signal.aborted && !attempt.ok) return
      if (!attempt.ok && attempt.error === GONE) gone.push(next.sequence)
      else attempts.push(attempt)
      if (attempt.ok) delivered += 1
      else if (!isOfTheEvent(attempt.error)) error ??= attempt.error
      else if (attempt.error !== GONE) refused.push({ due: next, error: attempt.error })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  if (attempts.length > 0) await storage.outbox.settle(attempts)
  if (gone.length > 0) await storage.outbox.discard(gone, GONE)
  return { delivered, error, refused, gone: gone.length }
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
