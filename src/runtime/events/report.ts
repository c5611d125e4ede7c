import { durationMs } from '../../protocol/durations.js'
import type { ExpiryType } from '../storage/contract.js'
import { alarmEvent, approvalEvent } from './event.js'
import type { Deliverer } from './reporter.js'

const BATCH = 100
/** An approval is about to expire when a quarter of its time is left, and no sooner than ten minutes before. */
const SHARE = 4
const MOST_MS = 600_000

/** Reports requests that are about to expire and those that have; whoever looks first, each is reported once. */
export async function reportExpiries(service: Deliverer): Promise<void> {
  const ttl = durationMs(service.manifest.approvals.request_ttl) ?? 0
  await report(service, 'approval.expiring', Math.min(ttl / SHARE, MOST_MS))
  await report(service, 'approval.expired', 0)
}

async function report(service: Deliverer, type: ExpiryType, withinMs: number): Promise<void> {
  if (!service.notify.some(({ events }) => events.includes(type))) return
  const { outbox } = service.storage
  while (
    (await outbox.noteExpiries(type, Math.floor(withinMs), BATCH, (request) =>
      approvalEvent(service, type, request)!,
    )) === BATCH
  );
}

/** Writes the alarms of this process that nobody was told of yet. */
export async function reportAlarms(service: Deliverer): Promise<void> {
  const raised = service.alarms.unreported()
  const events = raised.flatMap((alarm) => alarmEvent(service, alarm) ?? [])
  if (events.length > 0) await service.storage.outbox.add(events)
  service.alarms.reported(raised)
}
