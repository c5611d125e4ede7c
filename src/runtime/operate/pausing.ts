import { setTimeout as sleep } from 'node:timers/promises'
import type { PausedCapability } from '../../protocol/operator.js'
import { timestamp } from '../json/timestamp.js'
import type { Service } from '../service.js'
import { recordAction, type ActingParty } from './record-action.js'

/**
 * Interval at which each process reads the paused capabilities; a pause is answered after that time, so that it holds
 * everywhere.
 */
export const PAUSES_READ_MS = 500

/** Reads what is paused. */
export async function readPauses({ storage, paused }: Service): Promise<void> {
  const found = await storage.operators.paused()
  paused.clear()
  for (const { capability } of found) paused.add(capability)
}

/** Calls of the capability are answered with `service_unavailable` until it is resumed. */
export async function pauseCapability(
  service: Service,
  by: ActingParty,
  capability: string,
  reason: string,
): Promise<void> {
  const paused: PausedCapability = { capability, reason, paused_by: by.principal, paused_at: timestamp(service.now()) }
  await service.storage.operators.pause(paused)
  await readPauses(service)
  await recordAction(service, by, { name: 'capability_paused', target: { capability }, reason })
  if (service.storage.isShared) await sleep(2 * PAUSES_READ_MS)
}

/** False where nothing was paused. It is recorded first: a pause that is missing is put back as the trail has it. */
export async function resumeCapability(
  service: Service,
  by: ActingParty,
  capability: string,
  reason: string,
): Promise<boolean> {
  const paused = await service.storage.operators.paused()
  if (!paused.some((each) => each.capability === capability)) return false
  await recordAction(service, by, { name: 'capability_resumed', target: { capability }, reason })
  await service.storage.operators.resume(capability)
  await readPauses(service)
  return true
}
