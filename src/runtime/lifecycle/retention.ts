import { durationMs } from '../../protocol/durations.js'
import type { Service } from '../service.js'
import { timestamp } from '../json/timestamp.js'

/** So few that nobody waits long for the transaction; there are as many as it takes. */
const BATCH = 200

/**
 * Erases the content of entries that a capability keeps no longer; their leaf hashes stay, so every proof does (section 6). What is
 * erased cannot be had back, so a replica whose clock is ahead goes by that of the store.
 */
export async function eraseExpired(service: Service): Promise<number> {
  const now = await service.storage.now()
  let erased = 0
  for (const [name, { observability }] of service.capabilities) {
    const retention = observability?.retention === undefined ? undefined : durationMs(observability.retention)
    if (retention === undefined) continue
    erased += await eraseAll(service, name, timestamp(now - retention))
  }
  return erased
}

async function eraseAll({ storage }: Service, capability: string, before: string): Promise<number> {
  let erased = 0
  for (;;) {
    const batch = await storage.audit.erase(capability, before, BATCH)
    erased += batch
    if (batch < BATCH) return erased
  }
}
